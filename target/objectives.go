package target

import (
	"fmt"
	"path"
	"slices"

	"github.com/mcpconform/mcpconform/internal/objective"
)

// objectives reads what the server is to achieve under load.
func (r *reader) objectives(f *File, n *node) {
	if n.kind != list {
		r.fail(n, fmt.Sprintf("`objectives` is %s, and must be a list", n.is()), "write [\"cancel-products batch=100 p95<=800ms wrong=0\"]")
		return
	}
	for _, item := range n.items {
		if item.kind != plain && item.kind != quoted {
			r.fail(item, fmt.Sprintf("`objectives` has %s, and must have texts", item.is()), "write \"OPERATION batch=100 p95<=800ms wrong=0\"")
			continue
		}
		before := len(r.errs)
		text := r.expand(item)
		if len(r.errs) > before {
			continue
		}
		o, err := objective.Parse(text)
		if err != nil {
			r.fail(item, fmt.Sprintf("the objective %s cannot be read: %v", shown(item), err), "write it like cancel-products batch=100 p95<=800ms wrong=0")
			continue
		}
		f.Objectives = append(f.Objectives, o)
		r.aims = append(r.aims, item)
	}
}

// aimed looks whether every objective names an operation of the file.
func (r *reader) aimed(f *File) {
	for i, o := range f.Objectives {
		names := slices.ContainsFunc(f.Operations, func(op *Operation) bool {
			ok, _ := path.Match(o.Operation, op.Name) // it was read, so it is a glob
			return ok
		})
		if !names {
			r.fail(r.aims[i], fmt.Sprintf("the objective is about %q, and no operation is named so", printable(o.Operation)), "name one of `operations`, or * for all")
		}
	}
}
