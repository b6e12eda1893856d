package contract

import (
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Problem is one thing wrong with an answer.
type Problem struct {
	Code    Code
	Pointer string // from Root; for text payloads Base + "#" + pointer inside the text
	Offset  int    // of the value, from the first byte of Root; for text payloads inside the text
	Detail  string // what was found, for a person
}

// Code names a kind of problem.
type Code string

// The kinds of problem. Each is used by the check of the rule beside it.
//
// NoResults and Misplaced are said only where there is a payload; an answer
// without one has NoObject or TwoBlocks alone. Misplaced comes beside NoResults.
const (
	NoObject           Code = "no-object"               // ENV-01: no JSON object, neither structured nor as the one text block
	TwoBlocks          Code = "several-text-blocks"     // ENV-01: JSON stands in one of several blocks, and no structured object
	NoResults          Code = "no-results"              // ENV-02, RES-01
	Misplaced          Code = "results-misplaced"       // ENV-02, ENV-04: a list of rows stands elsewhere; Pointer says where
	ToolUnknown        Code = "tool-unknown"            // nobody's fault: output holds rows of several tools and Options.Tool is empty
	SiblingResult      Code = "sibling-result"          // ENV-03
	NotAList           Code = "results-not-a-list"      // RES-01
	RowNotObject       Code = "row-not-an-object"       // RES-04
	RowNoFlag          Code = "row-without-flag"        // RES-05
	FlagNotBoolean     Code = "flag-not-boolean"        // RES-06
	FlagsDiffer        Code = "flags-differ"            // RES-07
	SecondFlagOdd      Code = "second-flag-not-boolean" // RES-15
	OKNotBoolean       Code = "ok-not-boolean"          // ENV-09
	ErrorShape         Code = "error-shape"             // ENV-10
	MetadataShape      Code = "metadata-shape"          // ENV-10
	StringInStructured Code = "json-in-a-string"        // ENV-11
	TextDisagrees      Code = "text-disagrees"          // ENV-08
	PlacesDisagree     Code = "places-disagree"         // ENV-02: two lawful places with different rows
	BigNumberID        Code = "id-beyond-2^53"          // RES-16
	ErrorOnSuccess     Code = "error-on-success"        // RES-17
)

// Has gives the first problem of a kind; nil if there is none.
func (a *Answer) Has(code Code) *Problem {
	for i := range a.Problems {
		if a.Problems[i].Code == code {
			return &a.Problems[i]
		}
	}
	return nil
}

// All gives every problem of a kind.
func (a *Answer) All(code Code) []Problem {
	var found []Problem
	for i := range a.Problems {
		if a.Problems[i].Code == code {
			found = append(found, a.Problems[i])
		}
	}
	return found
}

// Where gives a node's pointer and offset from Root, as Problem does. A node
// that belongs to none of the answer's trees, and nil, give "" and 0.
func (a *Answer) Where(n *rawjson.Node) (pointer string, offset int) {
	switch {
	case n == nil:
		return "", 0
	case holds(a.Root, n):
		return strings.TrimPrefix(n.Pointer(), a.Root.Pointer()), n.Offset - a.Root.Offset
	}
	for i := range a.Texts {
		if holds(a.Texts[i].JSON, n) {
			base, _ := a.Where(a.Texts[i].Node)
			return base + "#" + n.Pointer(), n.Offset
		}
	}
	return "", 0
}

// holds tells whether n was read from the very bytes that root was read from.
// Every node keeps a part of those bytes, so that comparing addresses decides.
func holds(root, n *rawjson.Node) bool {
	if root == nil || len(n.Raw) == 0 {
		return false
	}
	at := n.Offset - root.Offset
	return at >= 0 && at < len(root.Raw) && &root.Raw[at] == &n.Raw[0]
}

// maxProblems bounds how many problems of one kind are kept: more than the rows
// of any answer that a person would send, fewer than 16 MiB of empty rows make.
const maxProblems = 1 << 17

func (a *Answer) problem(code Code, n *rawjson.Node, detail string) {
	if a.told[code] == maxProblems {
		return
	}
	if a.told == nil {
		a.told = map[Code]int{}
	}
	a.told[code]++
	pointer, offset := a.Where(n)
	a.Problems = append(a.Problems, Problem{Code: code, Pointer: pointer, Offset: offset, Detail: detail})
}
