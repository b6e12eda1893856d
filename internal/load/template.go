package load

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/pattern"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// Source says what a template asks for.
type Source struct {
	// Make gives the planned call. Where Digits is set, it depends on first and on
	// nothing else, and the numbers first, first+1, … stand in it, each with so many
	// digits: in items, so that every call can ask for items of its own, and in the
	// idempotency key.
	Make   func(first uint64) conform.Planned
	Digits int // 0: the call is the same every time
	// Next gives the first number of a call, and reserves the numbers of all its
	// items; ok is false where they are used up. Without Digits only ok counts, and nil
	// says that the call may be made as often as one likes.
	Next func() (first uint64, ok bool)
	// Repeats is set where each call repeats the one before, key and all: a write
	// then has to answer as before, protocol ids included.
	Repeats bool
	Timeout time.Duration
	// Plain is set where an answer has no rows that could be judged: only its envelope is
	// looked at.
	Plain bool
}

// Template is a call encoded ahead of time. It belongs to one user.
type Template struct {
	Items   int // how many items a call asks for
	source  Source
	judge   *Judge
	op      *conform.Operation
	request lean.Request
	id      []byte // the id's digits, in the request
	seed    uint64 // of its traces
	marks   []mark // numbers in the request and in the names
	names   *pattern.Names
	planned conform.Planned // of a call without numbers
	first   uint64
	memory  memory
	kind    string // see kindOf
	adopted int    // how many patterns of its kind it has looked at
}

// mark is a number's place: it stands for first + index.
type mark struct {
	digits []byte
	index  uint64
}

// Way makes a request of an encoded message: lean.Way over HTTP, Lines on a pipe.
type Way interface {
	Request(fields []conform.HeaderField, message []byte) lean.Request
}

// Lines is the way of stdio.
type Lines struct{}

// Request makes a line of the message.
func (Lines) Request(_ []conform.HeaderField, message []byte) lean.Request {
	return lean.NewLine(message)
}

// NewTemplate encodes a call as the session would send it.
func NewTemplate(session *wire.Session, way Way, judge *Judge, source Source) (*Template, error) {
	first := uint64(0)
	if source.Digits > 0 {
		if source.Digits > 15 || source.Next == nil {
			return nil, errors.New("numbers have 1 to 15 digits, and somebody who gives them")
		}
		first = power10(source.Digits - 1)
	}
	t := &Template{source: source, judge: judge, first: first, planned: source.Make(first)}
	t.Items = len(t.planned.Items)
	if t.op = judge.operation(t.planned.Operation); t.op == nil {
		return nil, fmt.Errorf("no operation is named %q", t.planned.Operation)
	}
	message, fields := encode(session, t.planned)
	t.request = way.Request(fields, message)
	t.request.Timeout = source.Timeout
	if traces, ok := way.(Traces); ok {
		t.seed = traces.Seed
	}
	const before = `{"jsonrpc":"2.0","id":`
	at := t.request.Body + len(before)
	t.id = t.request.Bytes[at : at+idDigits]
	if string(t.request.Bytes[t.request.Body:at]) != before || string(t.id) != strconv.Itoa(firstID) {
		return nil, errors.New("the id does not stand where messages have it")
	}
	t.names = pattern.NamesOf(t.planned.Items, t.op.FoldCase)
	if source.Digits > 0 {
		if err := t.number(session, way); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func encode(session *wire.Session, p conform.Planned) ([]byte, []conform.HeaderField) {
	return session.Encode(wire.Request{Method: "tools/call", Params: conform.CallParams(p.Tool, p.Arguments), ID: firstID})
}

// number finds the places of the numbers: those that differ when every digit does.
func (t *Template) number(session *wire.Session, way Way) error {
	ones := (power10(t.source.Digits) - 1) / 9 // 111…1
	other := t.first + ones
	planned := t.source.Make(other)
	message, fields := encode(session, planned)
	request := way.Request(fields, message)
	if !reflect.DeepEqual(request.Fields, t.request.Fields) {
		return errors.New("a number travels in a header field, which cannot be changed")
	}
	if err := t.find(t.request.Bytes[t.request.Body:], request.Bytes[request.Body:]); err != nil {
		return err
	}
	if len(t.marks) == 0 {
		return errors.New("no number stands in the call")
	}
	names := pattern.NamesOf(planned.Items, t.op.FoldCase)
	if names.Len() != t.names.Len() {
		return errors.New("calls with other numbers have other names")
	}
	for i := range names.Len() {
		if err := t.find(t.names.Value(i), names.Value(i)); err != nil {
			return err
		}
	}
	return nil
}

// find marks the runs of digits that differ between two texts.
func (t *Template) find(own, other []byte) error {
	if len(own) != len(other) {
		return errors.New("calls with other numbers have other lengths: give numbers a fixed width")
	}
	for at := 0; at < len(own); at++ {
		if own[at] == other[at] {
			continue
		}
		if at+t.source.Digits > len(own) {
			return fmt.Errorf("what differs with the numbers at %q is no number of %d digits", own[at:], t.source.Digits)
		}
		digits := own[at : at+t.source.Digits]
		value, err := strconv.ParseUint(string(digits), 10, 64)
		if err != nil || value < t.first || value-t.first > uint64(t.Items) {
			return fmt.Errorf("what differs with the numbers, %q, is none of them", digits)
		}
		t.marks = append(t.marks, mark{digits, value - t.first})
		at += t.source.Digits - 1
	}
	return nil
}

func power10(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= 10
	}
	return p
}

// renew gives the next call its numbers; false: they are used up.
func (t *Template) renew() bool {
	if t.source.Next == nil {
		return true
	}
	first, ok := t.source.Next()
	if !ok || t.source.Digits == 0 {
		return ok
	}
	t.first = first
	for i := range t.marks {
		putDigits(t.marks[i].digits, first+t.marks[i].index)
	}
	return true
}

// setID gives the next call its id.
func (t *Template) setID(id uint64) {
	putDigits(t.id, id)
	t.request.ID = id
	if t.request.Trace != nil {
		putTrace(t.request.Trace, t.seed, id)
	}
}

// asks gives what the call that was made last asked for.
func (t *Template) asks() conform.Planned {
	if t.source.Digits == 0 {
		return t.planned
	}
	return t.source.Make(t.first)
}

// body is the message as it was sent last.
func (t *Template) body() []byte {
	return bytes.TrimSuffix(t.request.Bytes[t.request.Body:], []byte("\n"))
}

// Overlap gives a name that two templates ask for, if they ask for the same items;
// templates with numbers never do, as long as Next gives each number once.
func Overlap(templates []*Template) (name string, overlap bool) {
	owner := map[string]int{}
	for i, t := range templates {
		if t.source.Digits > 0 {
			continue
		}
		for _, item := range t.planned.Items {
			if at, taken := owner[string(item.Given)]; taken && at != i {
				return string(item.Given), true
			}
			owner[string(item.Given)] = i
		}
	}
	return "", false
}
