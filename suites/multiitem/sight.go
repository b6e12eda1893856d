package multiitem

import (
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/pieces"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// sight is one call with its answer read and its rows tied to what was asked.
type sight struct {
	*conform.Call
	// How the call came out, in place of what the one exchange of its own says.
	Ending   conform.Ending
	Response *conform.Arrived
	Result   *rawjson.Node
	Received []*conform.Observation
	Planned  conform.Planned    // with the truth of items that the user has declined
	Op       *conform.Operation // never nil; of a recorded answer, a bare one
	Door     contract.Door
	Answer   *contract.Answer // nil: no result came; put together where it came in pieces
	Tie      contract.Tying   // of Answer to Planned.Items; zero without Answer

	whole *pieces.Whole   // nil: the answer came at once
	parts []*conform.Call // the exchanges that the pieces of whole came by
}

type sightKey struct{}

// see reads a call once, for all checks. The operation may be nil.
func see(op *conform.Operation, c *conform.Call) *sight {
	return c.Memo(sightKey{}, func() any {
		if op == nil {
			op = &conform.Operation{}
		}
		v := &sight{Call: c, Op: op, Ending: c.Ending(), Planned: declined(c)}
		v.Response, v.Result, v.Received = v.Ending.Response, v.Ending.Result, v.Ending.Received
		if v.whole, v.parts = pieces.Of(op, c); v.whole != nil {
			v.Result = v.whole.Result
		}
		root := v.Result
		if root == nil {
			root = legacyBody(c)
			v.Door = contract.REST
		}
		if root == nil {
			return v
		}
		o := v.options()
		v.Answer = contract.Read(root, o)
		v.Tie = v.Answer.Tie(v.Planned.Items, o, op.FoldCase)
		return v
	}).(*sight)
}

// Last gives how the call ended: the last reception of the exchange that decided it.
func (v *sight) Last() *conform.Received { return v.Ending.Call.Last() }

// declined gives what was planned. Where the user was asked and agreed to nothing,
// nothing may be done: what would have been good is to be refused. Where its task
// was cancelled, how much was done by then is the server's to say.
func declined(c *conform.Call) conform.Planned {
	p := c.Planned
	if !c.Declined() && !p.Cancels {
		return p
	}
	p.Items = append([]conform.Item{}, p.Items...)
	for i := range p.Items {
		if p.Cancels {
			p.Items[i].Truth = conform.Unknown
			continue
		}
		if p.Items[i].Truth == conform.Good {
			p.Items[i].Truth, p.Items[i].Because = conform.Bad, byTheUser
		}
	}
	return p
}

// byTheUser is why an item is to be refused that the user has declined.
const byTheUser = "the user was asked, and did not agree"

// legacyBody is the body of a good answer to a legacy REST call; nil for any
// other call. The request tells: it names the tool and is no JSON-RPC message.
func legacyBody(c *conform.Call) *rawjson.Node {
	in := c.Last()
	if c.Sent == nil || in == nil || in.End != conform.Complete || in.Status/100 != 2 {
		return nil
	}
	asked, _ := rawjson.Parse(c.Sent.Sent.Body)
	if !asked.Has("tool_name") || asked.Has("jsonrpc") {
		return nil
	}
	body, _ := rawjson.Parse(in.Body) // nil where it is no JSON
	return body
}

func (v *sight) options() contract.Options {
	return contract.Options{Door: v.Door, Tool: v.Planned.Tool, ID: v.Op.Results.ID}
}

// N is the number of requested items, counted before canonicalization (contract
// decision 2).
func (v *sight) N() int { return len(v.Planned.Items) }

// truths counts the requested items by what is known of them.
func (v *sight) truths() (good, bad, unknown int) {
	for _, item := range v.Planned.Items {
		switch item.Truth {
		case conform.Good:
			good++
		case conform.Bad:
			bad++
		default:
			unknown++
		}
	}
	return good, bad, unknown
}

// HasRows tells whether the answer holds a list of rows that can be read one by
// one, empty or not.
func (v *sight) HasRows() bool {
	return v.Answer != nil && v.Answer.List.Is(rawjson.Array)
}

// AllReadable tells, of an answer with rows, whether each has a boolean flag that
// nothing contradicts.
func (v *sight) AllReadable() bool {
	readable, _, _ := v.Answer.Count()
	return readable == len(v.Answer.Rows)
}

// Status is the status derived from the rows; unknown where it must not be
// derived.
func (v *sight) Status() (contract.Status, string) {
	if v.Answer == nil {
		return contract.StatusUnknown, "there is no answer"
	}
	return v.Answer.Derive(v.Planned.Items, v.Tie)
}

// lost says why a call that was sent has no answer to judge; empty if it has one
// (a JSON-RPC error is an answer). A call that was never sent is lost too.
func (v *sight) lost() string {
	if t := v.Ending.Task; t != nil && v.Op.Tasks && t.Error == nil {
		took := v.lasted().Round(time.Millisecond)
		switch {
		case v.Ending.Cancelled:
			return fmt.Sprintf("the task had not ended after %s, and was cancelled (status %s)", took, rawjson.Cut(t.Status, 40))
		case t.Ended():
			return fmt.Sprintf("the task ended after %s (status %s) and has no result", took, rawjson.Cut(t.Status, 40))
		}
		return fmt.Sprintf("the task stood at status %s when it was looked at last, after %s", rawjson.Cut(t.Status, 40), took)
	}
	if why := v.unended(); why != "" {
		return why
	}
	if v.Response != nil {
		return ""
	}
	in := v.Last()
	switch {
	case v.Sent == nil: // whatever else a recording holds of it
		return "the call was not sent"
	case in == nil:
		return "nothing was received for the call"
	case in.End != conform.Complete:
		return in.Problem
	}
	return ""
}

// lasted is the time from the call sent to the last that was received for it.
func (v *sight) lasted() (took time.Duration) {
	if n := len(v.Received); n > 0 {
		took = v.Received[n-1].At - v.Sent.At
	}
	return took
}

// show makes evidence of a node of the answer; nil shows the whole answer.
func (v *sight) show(n *rawjson.Node) conform.Evidence {
	e := evidence(v.Ending.Call, v.Response)
	if e.Seq == 0 && len(v.Received) > 0 {
		e.Seq = v.Received[len(v.Received)-1].Seq
	}
	if n == nil {
		switch {
		case v.Ending.Result != nil:
			e.Excerpt = v.Ending.Result.Excerpt(excerpt)
		case v.Response != nil:
			e.Excerpt = v.Response.Root.Excerpt(excerpt)
		case v.Last() != nil:
			e.Excerpt = rawjson.Cut(string(v.Last().Body), excerpt)
		}
		return e
	}
	pointer, offset := v.Answer.Where(n)
	e = v.at(e, pointer, offset)
	e.Excerpt = n.Excerpt(excerpt)
	return e
}

// evidence names the exchange that a response came by.
func evidence(c *conform.Call, response *conform.Arrived) conform.Evidence {
	e := conform.Evidence{Call: c.ID}
	if response != nil {
		e.Seq = response.In.Seq
	}
	return e
}

// at adds a place in the answer; of one that came in pieces the place in its piece.
func (v *sight) at(e conform.Evidence, pointer string, offset int) conform.Evidence {
	if v.whole != nil {
		var part int
		part, pointer, offset = v.whole.Origin(pointer, offset)
		e = evidence(v.parts[part], v.parts[part].Response)
	}
	e.Pointer, e.Offset = pointer, &offset
	return e
}

// excerpt bounds how many bytes of an answer a finding quotes.
const excerpt = 400

// pass, fail and the others make a look at this call.
func (v *sight) pass() conform.Look { return conform.Look{Verdict: conform.Pass, Call: v.Call} }

func (v *sight) fail(at *rawjson.Node, want, got string, args ...any) conform.Look {
	return conform.Look{Verdict: conform.Fail, Call: v.Call, Want: want, Got: fmt.Sprintf(got, args...),
		Evidence: []conform.Evidence{v.show(at)}}
}

// problem fails by a problem that reading the answer found.
func (v *sight) problem(p *contract.Problem, want string) conform.Look {
	look := conform.Look{Verdict: conform.Fail, Call: v.Call, Want: want, Got: p.Detail}
	look.Evidence = []conform.Evidence{v.at(v.show(nil), p.Pointer, p.Offset)}
	return look
}

func (v *sight) unclear(reason string, args ...any) conform.Look {
	return conform.Look{Verdict: conform.Inconclusive, Call: v.Call, Reason: fmt.Sprintf(reason, args...)}
}

// cannot says that this call gives nothing to judge by, and why: one cause makes
// one finding, so a rule about rows is not run where there are no rows.
func (v *sight) cannot(reason string, args ...any) conform.Look {
	return conform.Look{Verdict: conform.NotRun, Call: v.Call, Reason: fmt.Sprintf(reason, args...)}
}

// noRows is the reason that rules about rows give where there are none and the
// rule that says so is not worked out.
const noRows = "the answer has no results[] to read (see RES-01)"

// judge is a rule's word on one call; nil where the call gives the rule nothing
// to say.
type judge = func(*conform.Subject, *sight) *conform.Look

// calls judges every call of a role that when accepts (nil: all). A call whose
// answer says nothing of the contract is told as beyond tells it.
func calls(role conform.Role, when func(*sight) bool, judge judge) func(*conform.Subject) []conform.Look {
	return begun(role, when, nil, judge)
}

// begun is calls for rules that have a word on how the answer begins, whatever
// becomes of the rest: first gives it, nil where it has none.
func begun(role conform.Role, when func(*sight) bool, first, judge judge) func(*conform.Subject) []conform.Look {
	return func(s *conform.Subject) []conform.Look {
		var looks []conform.Look
		for _, c := range s.Calls {
			if c.Planned.Role != role || c.Sent == nil {
				continue
			}
			word := func(v *sight) *conform.Look {
				if when != nil && !when(v) {
					return nil
				}
				if first != nil {
					if look := first(s, v); look != nil {
						return look
					}
				}
				if look := v.beyond(s); look != nil {
					return look
				}
				return judge(s, v)
			}
			v := see(s.Operation, c)
			look := word(v)
			if look == nil {
				look = v.hangs(word)
			}
			if look != nil {
				looks = append(looks, *look)
			}
		}
		return looks
	}
}

// rows is calls for rules about rows of the primary tool: an answer without a
// list is not judged, because another rule has said so.
func rows(when func(*sight) bool, judge judge) func(*conform.Subject) []conform.Look {
	return calls(conform.RolePrimary, when, func(s *conform.Subject, v *sight) *conform.Look {
		if !v.HasRows() {
			return v.without(s)
		}
		return judge(s, v)
	})
}

// eachRows is rows for rules that look at one call alone.
func eachRows(when func(*sight) bool, judge func(*sight) *conform.Look) func(*conform.Subject) []conform.Look {
	return rows(when, func(_ *conform.Subject, v *sight) *conform.Look { return judge(v) })
}

// without is the look of a rule about rows at an answer that has none; nil where
// nothing was asked for.
func (v *sight) without(s *conform.Subject) *conform.Look {
	if v.N() == 0 {
		return nil
	}
	return some(v.cannot("the answer has no results[] to read (see %s)", v.silence(behaves(s))))
}

// some makes a look a pointer, for judges that may have nothing to say.
func some(look conform.Look) *conform.Look { return &look }

// atLeast accepts calls that ask for n items or more.
func atLeast(n int) func(*sight) bool { return func(v *sight) bool { return v.N() >= n } }
