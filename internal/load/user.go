package load

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/pattern"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// User is one virtual user: one call in flight at a time, over a connection of its
// own. It belongs to one goroutine. In steady state a call over HTTP with a JSON
// answer allocates nothing.
type User struct {
	Conn      lean.Conn
	Templates []*Template // its own, taken in turn; at least two
	Judge     *Judge
	IDs       *IDs
	Mode      Mode
	// Credentials give others in the place of some that the server refused with status 401;
	// nil: there are none.
	Credentials wire.Credentials

	turn    int
	id      uint64
	left    int // ids of the block
	calls   int
	others  int // that were neither wrong nor failed, where some are recorded
	answer  lean.Answer
	scratch pattern.Scratch
}

// Call makes the next call, and judges its answer.
func (u *User) Call(intended time.Duration) Call {
	t := u.Templates[u.turn]
	if u.turn++; u.turn == len(u.Templates) {
		u.turn = 0
	}
	return u.Do(t, intended)
}

// Do makes a call of one template, which must be the user's own.
func (u *User) Do(t *Template, intended time.Duration) Call {
	c := Call{Template: t, Intended: intended}
	if !t.renew() {
		c.UsedUp = true
		return c
	}
	t.setID(u.nextID())
	a := &u.answer
	u.Conn.Do(&t.request, a)
	if a.Status == http.StatusUnauthorized && u.Credentials != nil && u.renewed(t) {
		u.again(t, a)
	}
	c.Begun, c.Sent, c.First, c.Done = a.Begun, a.Sent, a.FirstByte, a.Done
	c.Served, c.Timed = a.Served, a.Timed
	c.Message = len(a.Message)
	c.Out, c.In, c.Class, c.Form, c.Opened = a.Out, a.In, a.Class, a.Form, a.Opened
	if a.Class != lean.Answered {
		u.failed(t, a)
		if a.Class != lean.Stopped {
			u.sample(t, a, Failed)
		}
		return c
	}
	u.calls++
	c.Verdict, c.How = u.judge(t, a)
	c.Outcome = OK
	if c.Verdict != nil {
		c.Outcome = c.Verdict.Outcome
	}
	if u.Judge.Keeper != nil {
		u.sample(t, a, c.Outcome)
	}
	return c
}

// Answered gives how many of the user's calls were answered, measured or not.
func (u *User) Answered() int { return u.calls }

// nextID gives an id that no other call has.
func (u *User) nextID() uint64 {
	if u.left == 0 {
		u.id, u.left = u.IDs.block(), idBlock
	}
	u.left--
	u.id++
	return u.id - 1
}

// judge finds the verdict on an answer; nil: all right, as the checks have said of
// its like.
func (u *User) judge(t *Template, a *lean.Answer) (*Verdict, How) {
	if t.source.Plain {
		if u.quick(t, a) {
			return nil, BySample
		}
		v := &Verdict{Outcome: Failed, Why: "isError"}
		u.tell(t, a, v)
		return v, BySample
	}
	if n := u.Mode.Every; n > 1 && u.calls%n != 0 && a.Odd == "" && a.Status/100 == 2 && u.quick(t, a) {
		return nil, BySample
	}
	if v := t.memory.shapeless; v != nil && u.quick(t, a) {
		return v, BySample
	}
	repeated := false
	if a.Odd == "" && a.Asked == 0 && (a.Status == 200 || a.Form == lean.Stdio) {
		if !u.Mode.Full {
			if v := t.memory.recall(a.Message, t.id); v != nil {
				if v == allRight {
					return nil, ByMemory
				}
				if v.Outcome != OK {
					u.tell(t, a, v)
				}
				return v, ByMemory
			}
		}
		matched := false
		matched, repeated = t.memory.match(a.Message, t.id, t.names, &u.scratch)
		if !matched && u.Judge.adopt(t) {
			matched, repeated = t.memory.match(a.Message, t.id, t.names, &u.scratch)
		}
		switch own := t.source.Digits > 0; {
		case matched && !repeated:
			u.remember(t, a)
			return u.crossing(t, a), ByPass
		case matched && own: // each of its calls is for other items
			before := t.before()
			u.remember(t, a)
			if before == nil {
				return nil, ByPass
			}
			if v := u.beside(t, a, before); v != nil {
				return v, Strictly
			}
			return nil, ByPass
		}
	}
	return u.strict(t, a, repeated), Strictly
}

var isError = []byte(`"isError":true`)

// quick looks at the envelope alone: the call's own id, and no isError. Answered
// over a pipe, or in an event, the id was looked at before.
func (u *User) quick(t *Template, a *lean.Answer) bool {
	return !bytes.Contains(a.Message, isError) && bytes.Contains(a.Message, t.id)
}

// remember keeps an answer that the forward pass let through: one that may come
// again, or one with protocol ids, which the next must not repeat.
func (u *User) remember(t *Template, a *lean.Answer) {
	hashes := u.scratch.Hashes()
	if len(hashes) == 0 {
		if t.source.Digits == 0 && !u.Mode.Full {
			t.memory.note(a.Message, t.id, &u.Judge.room)
		}
		return
	}
	l := &t.memory.last
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hashes, l.first, l.era = append(l.hashes[:0], hashes...), t.first, u.Judge.era.Load()
	p := &l.answer
	p.body, p.head = append(p.body[:0], a.Body...), append(p.head[:0], a.Head...)
	p.sent = append(p.sent[:0], t.body()...)
	p.form, p.status, p.fields = a.Form, a.Status, t.request.Fields
	p.begun, p.first, p.done = a.Sent, a.FirstByte, a.Done
	if t.source.Digits == 0 {
		p.planned = t.planned
	}
}

// strict has the checks judge an answer, keeps what they found, and learns.
func (u *User) strict(t *Template, a *lean.Answer, repeated bool) *Verdict {
	x := keep(t, a)
	var before *exchange
	if last := &t.memory.last; (repeated || t.source.Repeats) && last.answer.body != nil && t.source.Digits == 0 {
		before = &last.answer
	}
	v := u.known(t, u.Judge.strict(t.op, &x, before))
	u.tell(t, a, v)
	if !repeated {
		u.learn(t, a, v, x)
	}
	return v
}

// crossing notes the protocol ids of an answer that matched and is remembered, and has
// the checks judge it beside the call that was given one of them before; nil: nothing is
// wrong with it.
func (u *User) crossing(t *Template, a *lean.Answer) *Verdict {
	hashes := u.scratch.Hashes()
	if len(hashes) == 0 || t.source.Repeats {
		return nil
	}
	m := &t.memory
	if m.given == nil {
		m.given = u.Judge.givenIn(t.op)
		m.number = m.given.enter(t)
	}
	hash, giver := m.given.note(hashes, m.number)
	if giver == 0 {
		return nil
	}
	other := m.given.template(giver).having(hash)
	if other == nil {
		return nil // what it was given for is not known any more
	}
	v := u.beside(t, a, other)
	if v == nil {
		m.given.passed()
	}
	return v
}

// beside judges an answer beside another call's; nil: it breaks nothing for that.
func (u *User) beside(t *Template, a *lean.Answer, other *exchange) *Verdict {
	x := keep(t, a)
	v := *u.Judge.strict(t.op, &x, nil)
	if v.Beside = u.Judge.beside(t, &x, other, &v); len(v.Beside) == 0 {
		return nil
	}
	for _, f := range v.Beside {
		u.Judge.Examples.add(f.ID, func() Example {
			e := u.example(t, a, f.ID, "")
			e.Finding, e.Before = f, e.cut(other.body)
			return e
		})
	}
	return &v
}

// known is the verdict in the light of the template's other answers: where others
// had rows, one without them is no unknown shape.
func (u *User) known(t *Template, v *Verdict) *Verdict {
	m := &t.memory
	if v.Outcome != Unjudged {
		m.rows = m.rows || v.Outcome != Failed
		m.shapeless = nil
		return v
	}
	if m.rows {
		lost := *v
		lost.Outcome, lost.Why = Wrong, ""
		return &lost
	}
	m.shapeless = v
	return v
}

// learn has the template remember a verdict, and, of an answer that is all right,
// its pattern.
func (u *User) learn(t *Template, a *lean.Answer, v *Verdict, x exchange) {
	if a.Odd != "" || a.Asked > 0 || a.Form != lean.Stdio && a.Status != 200 {
		return
	}
	m := &t.memory
	protocols := t.op.Write && !t.source.Repeats && showsProtocols(a.Message)
	if at := bytes.Index(a.Message, t.id); !protocols && t.source.Digits == 0 && at >= 0 && onlyID(a.Message, t.request.ID, at) {
		m.hold(a.Message, at, v, &u.Judge.room)
	}
	if protocols || t.source.Repeats {
		m.last.mu.Lock()
		m.last.answer, m.last.first, m.last.hashes, m.last.era = x, t.first, m.last.hashes[:0], u.Judge.era.Load()
		m.last.mu.Unlock()
	}
	if v.Outcome != OK {
		return
	}
	asks := t.asks()
	p, err := pattern.Make(a.Message, t.request.ID, pattern.Asked{
		Operation: t.op, Items: asks.Items, Names: pattern.NamesOf(asks.Items, t.op.FoldCase),
		Schema: u.Judge.tools[asks.Tool], Repeats: t.source.Repeats,
	})
	if err != nil {
		return // the checks go on judging its like
	}
	if !p.Match(a.Message, t.id, t.names, &u.scratch) {
		return
	}
	if p.Protocols() {
		m.last.mu.Lock()
		m.last.hashes = append(m.last.hashes[:0], u.scratch.Hashes()...)
		m.last.mu.Unlock()
		u.crossing(t, a)
	}
	if t.source.Digits > 0 && !p.Fits(t.names) {
		return
	}
	clean := len(v.Warnings) == 0
	for _, known := range m.patterns {
		if clean && known.Absorb(p) {
			return
		}
	}
	m.learn(u.Judge.share(t, p, clean))
}

// onlyID tells whether the digits at a place are the message's id and stand there
// alone.
func onlyID(message []byte, id uint64, at int) bool {
	root, err := rawjson.Parse(message)
	if err != nil {
		return false
	}
	number := root.Get("id")
	text, _ := number.Literal()
	return number != nil && number.Offset == at && text == strconv.FormatUint(id, 10)
}

// showsProtocols tells whether a message has a member for protocol ids.
func showsProtocols(message []byte) bool {
	root, err := rawjson.Parse(message)
	if err != nil {
		return true // nobody knows
	}
	found := false
	look := func(n *rawjson.Node) bool {
		for i := range n.Members {
			found = found || multiitem.NamesProtocol(n.Members[i].Name)
		}
		return !found
	}
	root.Walk(func(n *rawjson.Node) bool {
		if text, ok := n.Str(); ok {
			if inner, err := rawjson.Parse([]byte(text)); err == nil {
				inner.Walk(look)
			}
		}
		return look(n)
	})
	return found
}

// tell keeps an example of every rule that an answer broke.
func (u *User) tell(t *Template, a *lean.Answer, v *Verdict) {
	if v.Outcome == Unjudged {
		return // that is said once, of the whole
	}
	if v.Outcome == Failed {
		u.Judge.Examples.add(refused, func() Example { return u.example(t, a, refused, v.Why) })
	}
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Level != conform.Must {
			continue // what is no MUST does not make an answer wrong, and is for a run to tell
		}
		rule := f.ID
		if v.Outcome == OK {
			rule = Mapped + rule
		}
		u.Judge.Examples.add(rule, func() Example {
			x := u.example(t, a, rule, "")
			x.Finding = *f
			return x
		})
	}
	if v.Outcome == Wrong && len(v.Findings) == 0 {
		u.Judge.Examples.add(mapping, func() Example { return u.example(t, a, mapping, "") })
	}
}

// Mapped begins the rule of an example whose answer broke a MUST of the contract by
// its shape, and is right as the target file maps it.
const Mapped = "mapped "

// refused stands for a rule's id in examples of calls that were refused as a whole,
// by isError or a JSON-RPC error.
const refused = "refused"

// failed keeps an example of a call without an answer.
func (u *User) failed(t *Template, a *lean.Answer) {
	u.Judge.Examples.add(string(a.Class), func() Example { return u.example(t, a, string(a.Class), a.Problem) })
}

func (u *User) example(t *Template, a *lean.Answer, rule, problem string) Example {
	x := Example{Rule: rule, Operation: t.op.Name, Items: t.Items, At: a.Sent, Trace: t.trace(), Problem: problem}
	x.Request, x.Head, x.Answer = x.cut(t.body()), x.cut(a.Head), x.cut(a.Body)
	return x
}
