package multiitem

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var scope03 = conform.Check{
	Requirement: conform.Requirement{
		ID: "SCOPE-03", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupScope,
		Title:  "what is declared absent is absent",
		Text:   "The server has no validator, workflow or idempotency key where the target file says `none`.",
		Impact: "Whole groups of rules are left out on the word of a file that is wrong, and the verdict looks as good as any.",
		Source: "contract 8b, scope",
		Needs:  []conform.Need{conform.NeedResponse},
		Good:   "`idempotency: none`, and the tool takes no key",
		Bad:    "`idempotency: none`, and the tool lists an argument `idempotency_key`",
		Mend:   "Describe in the target file what the server has, so that its rules are judged; a tool that is something else goes under `ignore`, with the reason.",
		Since:  set,
	},
	Applies: nothingAbsent,
	Judge:   absentIsAbsent,
	Missing: "nothing was seen that could speak against what the target file declares absent",
}

func nothingAbsent(s *conform.Subject) string {
	if reason := withoutFile(s); reason != "" {
		return reason
	}
	op := s.Operation
	if op.Validator != conform.Absent && op.Workflow != conform.Absent && op.Idempotency != conform.Absent {
		return "the target file declares nothing absent"
	}
	return ""
}

func absentIsAbsent(s *conform.Subject) []conform.Look {
	op := s.Operation
	var looks []conform.Look
	if op.Validator == conform.Absent && s.Recording.Listed {
		looks = append(looks, validatorSeen(s.Recording, op))
	}
	if tool := s.Recording.Tool(op.Tool); op.Idempotency == conform.Absent && tool != nil {
		looks = append(looks, keySeen(op, tool))
	}
	if op.Workflow == conform.Absent {
		looks = append(looks, workflowSeen(s)...)
	}
	if len(looks) == 0 {
		return []conform.Look{{Verdict: conform.NotRun, Reason: unseenAbsence(s)}}
	}
	return looks
}

// unseenAbsence says what was to be looked at, and was not there.
func unseenAbsence(s *conform.Subject) string {
	op := s.Operation
	var why []string
	if op.Validator == conform.Absent || op.Idempotency == conform.Absent {
		if s.Recording.Listed {
			why = append(why, fmt.Sprintf("the server does not list the tool %s", rawjson.Cut(op.Tool, 60)))
		} else {
			why = append(why, "the server did not list its tools")
		}
	}
	if op.Workflow == conform.Absent {
		why = append(why, "no call was answered with rows, which would show whether the tool is a workflow")
	}
	return strings.Join(why, "; ")
}

// contradicted is a declaration that what a tool says of itself speaks against.
func contradicted(key string, tool *conform.Tooling, at *rawjson.Node, got, hint string) conform.Look {
	e := evidence(tool.Call, tool.Call.Response)
	e.Pointer, e.Offset, e.Excerpt = at.Pointer(), &at.Offset, at.Excerpt(excerpt)
	return conform.Look{Verdict: conform.Fail, Call: tool.Call, Want: "nothing on the server speaks against `" + key + ": none`", Got: got, Hint: hint,
		Evidence: []conform.Evidence{e}}
}

// validatorSeen looks for a tool that validates this operation's items: named like
// a validator of the same things, and taking the same argument. A tool that the
// file names or ignores is explained.
func validatorSeen(rec *conform.Recording, op *conform.Operation) conform.Look {
	known := explained(rec.Header.Target)
	at := slices.IndexFunc(rec.Tools, func(t conform.Tooling) bool {
		return !known(t.Name) && t.InputSchema.At("properties", op.Argument) != nil && validates(t.Name) && sameThings(t.Name, op.Tool)
	})
	if at < 0 {
		return conform.Look{Verdict: conform.Pass}
	}
	name := rec.Tools[at].Name
	return contradicted("validator", &rec.Tools[at], rec.Tools[at].Node, fmt.Sprintf("the tool %s, which takes %q too", rawjson.Cut(name, 60), op.Argument),
		fmt.Sprintf("write `validator: {tool: %s}`; if it is something else, add `ignore: [{tool: %s, because: \"…\"}]`", name, name))
}

// keySeen looks for an argument that is called an idempotency key.
func keySeen(op *conform.Operation, tool *conform.Tooling) conform.Look {
	properties := tool.InputSchema.Get("properties")
	if properties.Is(rawjson.Object) {
		for _, p := range properties.Members {
			if p.Name != op.Argument && strings.Contains(strings.ToLower(p.Name), "idempoten") {
				return contradicted("idempotency", tool, p.Value, fmt.Sprintf("%s takes an argument %q", op.Tool, p.Name),
					fmt.Sprintf("write `idempotency: {argument: %s}`", p.Name))
			}
		}
	}
	return conform.Look{Verdict: conform.Pass}
}

// workflowSeen looks at where the rows stand.
func workflowSeen(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, c := range s.Calls {
		v := see(s.Operation, c)
		if c.Planned.Role != conform.RolePrimary || !v.HasRows() {
			continue
		}
		if v.Answer.Place == contract.Workflow {
			look := v.fail(v.Answer.List, "nothing on the server speaks against `workflow: none`", "results[] at output[%q], as a workflow answers", rawjson.Cut(c.Planned.Tool, 60))
			look.Hint = "write `workflow: true`"
			return []conform.Look{look}
		}
		looks = []conform.Look{v.pass()}
	}
	return looks
}

// validating are beginnings of the words that say of a tool that it decides and
// does nothing: to validate and to preview, in some languages. To check is not
// among them: who checks orders may just look at them.
var validating = []string{"valid", "preview", "eligib", "preflight", "precheck", "elegib", "ammissib", "zulässig", "éligib", "previsualiz", "prévisual"}

func validates(name string) bool {
	for _, word := range wordsOf(name) {
		for _, beginning := range validating {
			if strings.HasPrefix(word, beginning) {
				return true
			}
		}
	}
	return false
}

// sameThings tells whether two tools' names share a word that says what they are
// about: any but the first word of the operation's tool, which says what is done.
func sameThings(validator, tool string) bool {
	words := wordsOf(tool)
	if len(words) > 1 {
		words = words[1:]
	}
	for _, a := range words {
		for _, b := range wordsOf(validator) {
			if len(a) > 2 && strings.TrimSuffix(a, "s") == strings.TrimSuffix(b, "s") {
				return true
			}
		}
	}
	return false
}

// wordsOf gives the words of a tool's name in lower case: cancel_products,
// cancel-products and cancelProducts are two words each. An empty one says nothing.
func wordsOf(name string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		words = append(words, word.String())
		word.Reset()
	}
	var lower bool
	for _, r := range name {
		if !unicode.IsLetter(r) || unicode.IsUpper(r) && lower {
			end()
		}
		if lower = unicode.IsLower(r); unicode.IsLetter(r) {
			word.WriteRune(unicode.ToLower(r))
		}
	}
	end()
	return words
}
