package contract

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Door is the form in which an answer reached the client (contract 1.1).
type Door uint8

// The doors.
const (
	MCP     Door = iota // a tools/call result
	REST                // the body of a legacy REST answer
	Gateway             // the body of the gateway's answer
)

// Options say how an answer is to be read.
type Options struct {
	Door Door
	// Tool is the requested tool: workflow rows are expected under output[Tool].
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

// The places of contract 1.2.
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
}

// Text is one text block of content.
type Text struct {
	Node *rawjson.Node // the block's text member
	JSON *rawjson.Node // decoded; nil if the text is no JSON object or array
}

// Flag is what a row says of its item.
type Flag uint8

// The flags. NoFlag: neither success nor ok. Unreadable: there, but not JSON
// true or false. Torn: both are boolean and differ.
const (
	NoFlag Flag = iota
	Unreadable
	Torn
	Succeeded
	Failed
)

// Row is one entry of results[].
type Row struct {
	Index   int
	Node    *rawjson.Node
	Flag    Flag
	Success *rawjson.Node // the two flag members; nil if absent
	Ok      *rawjson.Node
}

// Readable tells whether the row is an object with a boolean flag that nothing
// contradicts.
func (r Row) Readable() bool { return r.Flag == Succeeded || r.Flag == Failed }

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
const (
	NoObject           Code = "no-object"               // ENV-01: no JSON object, neither structured nor as the one text block
	TwoBlocks          Code = "several-text-blocks"     // ENV-01: several text blocks and no structured object
	NoResults          Code = "no-results"              // ENV-02, RES-01
	Misplaced          Code = "results-misplaced"       // ENV-02: a list of rows stands elsewhere; Pointer says where
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

// Read reads an answer: the exact JSON of a tools/call result (MCP), or a body.
// It never fails: what cannot be read is a Problem.
func Read(root *rawjson.Node, o Options) *Answer { panic("not built") }

// Has gives the first problem of a kind; nil if there is none.
func (a *Answer) Has(code Code) *Problem { panic("not built") }

// All gives every problem of a kind.
func (a *Answer) All(code Code) []Problem { panic("not built") }

// Where gives a node's pointer and offset from Root, as Problem does.
func (a *Answer) Where(n *rawjson.Node) (pointer string, offset int) { panic("not built") }

// Count gives how many rows are readable, succeeded and failed.
func (a *Answer) Count() (readable, succeeded, failed int) { panic("not built") }

var _ conform.Item
