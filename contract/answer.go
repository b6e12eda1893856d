package contract

import "github.com/mcpconform/mcpconform/internal/rawjson"

// Door is the form in which an answer reached the client (contract 1.1).
type Door uint8

// The doors.
const (
	MCP     Door = iota // a tools/call result
	REST                // the body of a legacy REST answer
	Gateway             // the body that a server gave the gateway, or the gateway's own answer
)

// Options say how an answer is to be read.
type Options struct {
	Door Door
	// Tool is the requested tool: workflow rows are expected under output[Tool].
	// Empty where it is not known (a recorded answer): the one entry of output
	// that holds a results list is then taken for the tool's.
	Tool string
	// ID names further identity members (results.id of the target file).
	ID []string
}

// Source says which part of a tool result the payload was read from.
type Source uint8

// The sources.
const (
	FromNothing    Source = iota // there is no payload
	FromStructured               // structuredContent
	FromText                     // the one text block, decoded as JSON
	FromBody                     // a REST or gateway body
)

// Place says where the rows were found.
type Place uint8

// The places of contract 1.2. One further result layer, which a workflow's
// status allows, counts as the place inside it.
const (
	Nowhere  Place = iota
	Workflow       // [result.]output[Tool].results
	Direct         // results, at the payload's top level
	Wrapped        // result.results
)

// Answer is one answer, read.
type Answer struct {
	Root    *rawjson.Node // the whole tool result (or body)
	IsError bool          // isError is JSON true
	Source  Source
	// Payload is what the client takes for the answer's data: structuredContent
	// if it is a non-empty object, else the one text block that holds JSON. Nil
	// if there is none. Payload nodes of FromText have offsets and pointers
	// inside the text; Base is where that text stands.
	//
	// One exception: where structuredContent holds only JSON in a string and
	// the text block holds the rows, the text is the payload (ENV-11).
	Payload *rawjson.Node
	Base    string // pointer of the payload in Root: "/structuredContent", "/content/0/text"

	Structured *rawjson.Node // structuredContent as sent, of any kind; nil if absent
	Texts      []Text

	OK       *rawjson.Node // the envelope's ok, error, metadata, result members; nil if absent
	Error    *rawjson.Node
	Metadata *rawjson.Node
	Result   *rawjson.Node

	Place Place
	// List is the value at Place named results, whatever its kind; nil if Nowhere.
	List *rawjson.Node
	// Others are lists named results found at further lawful places.
	Others []*rawjson.Node
	Rows   []Row // of List, if it is an array

	Problems []Problem

	// twice is set where a member name on the way to List comes twice in its
	// object: which list is meant then depends on the reader (PRO-14).
	twice bool
	told  map[Code]int // how many problems of a kind there are
}

// Read reads an answer: the exact JSON of a tools/call result (MCP), or a body.
// It never fails: what cannot be read is a Problem. It takes time and memory
// linear in the answer's bytes.
func Read(root *rawjson.Node, o Options) *Answer {
	a := &Answer{Root: root}
	switch o.Door {
	case REST, Gateway:
		a.readBody()
	default:
		a.readToolResult(o)
	}
	if a.Payload == nil {
		return a
	}
	a.readEnvelope()
	a.readPlaces(o)
	a.readRows(o)
	a.compareMirrors(o)
	return a
}

// Count gives how many rows are readable, succeeded and failed.
func (a *Answer) Count() (readable, succeeded, failed int) {
	for i := range a.Rows {
		switch a.Rows[i].Flag {
		case Succeeded:
			succeeded++
		case Failed:
			failed++
		}
	}
	return succeeded + failed, succeeded, failed
}
