package contract

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fixtures/answers"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func readCase(t *testing.T, c answers.Case) (*Answer, []conform.Item, Options) {
	t.Helper()
	root, err := rawjson.Parse(c.ToolResult)
	if err != nil {
		t.Fatalf("tool_result: %v", err)
	}
	items := make([]conform.Item, len(c.RequestItems))
	for i, given := range c.RequestItems {
		items[i].Given = given
	}
	o := Options{Tool: c.Tool}
	return Read(root, o), items, o
}

func TestEveryRecordedAnswerGivesItsStatus(t *testing.T) {
	cases, err := answers.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.File, func(t *testing.T) {
			a, items, o := readCase(t, c)
			tying := a.Tie(items, o, false)
			status, why := a.Derive(items, tying)
			want := StatusUnknown
			if c.ExpectedStatus != nil {
				want = Status(*c.ExpectedStatus)
			}
			if status != want {
				t.Errorf("status %q, want %q (%s)\n%s\ntied by %s: %+v\nproblems: %+v", status, want, why, c.Why, tying.By, tying, a.Problems)
			}
			if (status == StatusUnknown) != (why != "") {
				t.Errorf("status %q with reason %q", status, why)
			}
		})
	}
}

// The collection shows every kind of problem that one recorded answer of a named
// tool can have.
func TestTheRecordedAnswersShowEveryProblem(t *testing.T) {
	cases, err := answers.All()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[Code]bool{}
	for _, c := range cases {
		a, _, _ := readCase(t, c)
		for _, p := range a.Problems {
			shown[p.Code] = true
		}
		if len(a.Problems) > 0 && c.ExpectedVerdict == "conformant" && !(len(c.RequestItems) == 0 && a.IsError) {
			t.Errorf("%s: conformant, and these problems: %+v", c.File, a.Problems)
		}
	}
	for _, code := range []Code{NoObject, TwoBlocks, NoResults, Misplaced, SiblingResult, NotAList, RowNotObject, RowNoFlag,
		FlagNotBoolean, FlagsDiffer, SecondFlagOdd, OKNotBoolean, ErrorShape, MetadataShape, StringInStructured,
		TextDisagrees, PlacesDisagree, BigNumberID, ErrorOnSuccess} {
		if !shown[code] {
			t.Errorf("no case shows %s", code)
		}
	}
}
