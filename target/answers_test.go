package target

import (
	"testing"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func answersOf(t *testing.T, text string) Answers {
	t.Helper()
	f, err := Parse("t.yaml", []byte("version: 1\nserver: {command: [x]}\n"+text+"\noperations: {a: {tool: t, effect: read, input: {argument: ids}}}\n"), noEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	return f.Operation("a").Replies
}

func TestQuestionsAreAnsweredByTheFirstThatFits(t *testing.T) {
	const form = `"requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean"},"note":{"type":"string"}},"required":["confirm"]}`
	for name, c := range map[string]struct{ answers, method, params, want string }{
		"all questions, by fields":          {`answers: {accept: {confirm: true, reason: x}}`, "elicitation/create", `{"message":"Sure?",` + form + `}`, `{"action":"accept","content":{"confirm":true}}`},
		"fields keep their kind":            {`answers: {accept: {confirm: "true", note: 7}}`, "elicitation/create", `{"message":"Sure?",` + form + `}`, `{"action":"accept","content":{"confirm":"true","note":7}}`},
		"a field that is not there":         {`answers: {accept: {reason: x}}`, "elicitation/create", `{"message":"Sure?",` + form + `}`, ``},
		"nothing to fill in":                {`answers: {accept: {confirm: true}}`, "elicitation/create", `{"message":"Sure?"}`, `{"action":"accept","content":{}}`},
		"the message decides":               {`answers: [{match: "^Why", action: decline}, {accept: {confirm: false}}]`, "elicitation/create", `{"message":"Sure?",` + form + `}`, `{"action":"accept","content":{"confirm":false}}`},
		"the first that fits":               {`answers: [{match: "^S", action: cancel}, {accept: {confirm: true}}]`, "elicitation/create", `{"message":"Sure?",` + form + `}`, `{"action":"cancel"}`},
		"the next where a field is lacking": {`answers: [{accept: {reason: x}}, {action: decline}]`, "elicitation/create", `{"message":"Sure?",` + form + `}`, `{"action":"decline"}`},
		"a form by name":                    {`answers: [{action: decline}]`, "elicitation/create", `{"mode":"form","message":"Sure?"}`, `{"action":"decline"}`},
		"an address to be opened":           {`answers: [{action: decline}]`, "elicitation/create", `{"mode":"url","message":"Sure?","url":"https://x.example"}`, ``},
		"sampling":                          {`answers: [{action: decline}]`, "sampling/createMessage", `{}`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			params, err := rawjson.Parse([]byte(c.params))
			if err != nil {
				t.Fatal(err)
			}
			got, ok := answersOf(t, c.answers).Reply(c.method, params)
			if string(got) != c.want || ok != (c.want != "") {
				t.Errorf("answered %s, %v; wanted %s", got, ok, c.want)
			}
		})
	}
}

func TestAnOperationsAnswersWin(t *testing.T) {
	f, err := Parse("t.yaml", []byte(`version: 1
server: {command: [x]}
answers: {accept: {a: 1}}
operations:
  one: {tool: t, effect: read, input: {argument: ids}}
  two: {tool: u, effect: read, input: {argument: ids}, answers: [{action: decline}]}
`), noEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	one, two := f.Operation("one"), f.Operation("two")
	if !one.Answers || !two.Answers || one.Replies[0].Action != "accept" || two.Replies[0].Action != "decline" || !f.Wire(nil).Elicits {
		t.Errorf("%+v, %+v", one.Replies, two.Replies)
	}
	silent, err := Parse("t.yaml", []byte("version: 1\nserver: {command: [x]}\n"), noEnvironment)
	if err != nil || silent.Wire(nil).Elicits {
		t.Errorf("a file without answers declares that its user can be asked: %v", err)
	}
}
