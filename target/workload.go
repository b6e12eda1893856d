package target

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

// Workload is a mix of calls as the server's users make them together.
type Workload struct {
	Name  string // for reports
	Parts []Part
}

// Part is one kind of call of a workload.
type Part struct {
	Operation string
	Batches   []int         // items of a call, each size as often as the others
	Bad       float64       // of the items, those that the operation must refuse
	Journey   bool          // the validator is called first, for the same items
	Think     time.Duration // of a journey: between its two calls
	Weight    float64       // of all parts' weights, how often its calls are made
}

// mostParts bounds a workload.
const mostParts = 100

// LoadWorkload reads a workload from a file of its own, with `version`, `name` and
// `workload` in it. Errors of the file are *Error, joined.
func LoadWorkload(path string, getenv func(string) (string, bool)) (*Workload, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the workload: %w", err)
	}
	defer in.Close()
	src, err := io.ReadAll(io.LimitReader(in, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the workload %s: %w", path, err)
	}
	return ParseWorkload(path, src, getenv)
}

// ParseWorkload reads the bytes of such a file; name stands for it in errors.
func ParseWorkload(name string, src []byte, getenv func(string) (string, bool)) (*Workload, error) {
	root, err := readYAML(name, src)
	if err != nil {
		return nil, err
	}
	r := &reader{file: name, getenv: getenv}
	w := &Workload{Name: "workload"}
	r.object("", root, fields{
		"version":  func(_ string, n *node) { r.version(n) },
		"name":     func(name string, n *node) { w.Name = r.word(name, n) },
		"workload": func(_ string, n *node) { r.workload(w, n) },
	}, nil)
	if root.get("workload") == nil {
		r.fail(root, "the file has no `workload`", "write workload: [{operation: NAME, batch: 10, weight: 3}]")
	}
	if err := join(r.errs); err != nil {
		return nil, err
	}
	return w, nil
}

func (r *reader) version(n *node) {
	if n.kind != plain || n.text != "1" {
		r.fail(n, fmt.Sprintf("`version` is %s, and this program reads version 1", shown(n)), "write `version: 1`")
	}
}

func (r *reader) workload(w *Workload, n *node) {
	if n.kind != list || len(n.items) == 0 || len(n.items) > mostParts {
		r.fail(n, fmt.Sprintf("`workload` is %s, and must be a list of 1 to %d kinds of calls", n.is(), mostParts), "write [{operation: NAME, batch: 10, weight: 3}]")
		return
	}
	for _, item := range n.items {
		p := Part{Weight: 1}
		r.object("workload", item, fields{
			"operation": func(name string, n *node) { p.Operation = r.word(name, n) },
			"journey":   func(name string, n *node) { p.Operation, p.Journey = r.word(name, n), true },
			"think":     func(name string, n *node) { p.Think = r.wait(name, n) },
			"batch":     func(name string, n *node) { p.Batches = r.wholes(name, n, 1, maxPartBatch) },
			"bad":       func(name string, n *node) { p.Bad = r.number(name, n, 0, 1) },
			"weight":    func(name string, n *node) { p.Weight = r.number(name, n, 0.001, 1e6) },
		}, nil)
		switch {
		case item.kind != mapping:
		case item.get("operation") != nil && item.get("journey") != nil:
			r.fail(item, "`workload` has `operation` beside `journey`", "keep one: a journey is a call of the operation after one of its validator")
		case item.get("journey") == nil:
			r.need(item, "workload", "operation", "name one of the target file's operations, or write journey: NAME")
			if think := item.get("think"); think != nil {
				r.fail(think, "`think` stands without `journey`", "it is the time between a journey's two calls; between calls of their own --think counts")
			}
		}
		r.need(item, "workload", "batch", "say how many items a call has: 10, or [1, 100]")
		w.Parts = append(w.Parts, p)
		r.parts = append(r.parts, item)
	}
}

const maxPartBatch = 100_000

// wholes reads a whole number, or a list of them.
func (r *reader) wholes(name string, n *node, least, most int) []int {
	if n.kind != list {
		return []int{r.whole(name, n, least, most)}
	}
	var all []int
	for _, item := range n.items {
		all = append(all, r.whole(name, item, least, most))
	}
	if len(all) == 0 {
		r.fail(n, fmt.Sprintf("`%s` is an empty list", name), "write 10, or [1, 100]")
	}
	return all
}

// number reads a number within bounds.
func (r *reader) number(name string, n *node, least, most float64) float64 {
	if n.kind == plain || n.kind == quoted {
		if v, err := strconv.ParseFloat(r.expand(n), 64); err == nil && v >= least && v <= most {
			return v
		}
	}
	r.fail(n, fmt.Sprintf("`%s` is %s, and must be a number from %g to %g", name, shown(n), least, most), "write it like 0.1")
	return 0
}

// mixed looks whether the file's own workload names its operations.
func (r *reader) mixed(f *File) {
	if f.Workload == nil {
		return
	}
	for i, p := range f.Workload.Parts {
		if one := (&Workload{Parts: []Part{p}}); p.Operation != "" {
			if err := one.Fits(f); err != nil {
				r.fail(r.parts[i], err.Error(), "name one of `operations`")
			}
		}
	}
}

// Fits says which part of a workload names no operation of the file; nil: all do.
func (w *Workload) Fits(f *File) error {
	for _, p := range w.Parts {
		if f.Operation(p.Operation) == nil {
			mend := ""
			var names []string
			for _, o := range f.Operations {
				names = append(names, o.Name)
			}
			if near := nearest(p.Operation, names); near != "" {
				mend = fmt.Sprintf("; did you mean %s?", near)
			}
			return errors.New("the workload calls " + strconv.Quote(printable(p.Operation)) + ", and no operation is named so" + mend)
		}
	}
	return nil
}
