package target

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// catalogueName is the form of a set's name: a month, and -draft until it is released.
var catalogueName = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])(-draft)?$`)

// document reads the keys at the top.
func (r *reader) document(f *File, root *node) {
	if root.kind != mapping {
		r.fail(root, "a target file is a mapping, and this is "+root.is(), "begin with `version: 1`")
		return
	}
	if root.get("version") == nil {
		r.fail(root, "the file has no `version`", "begin with `version: 1`")
	}
	var answers Answers
	tasks := false
	var undo *Hands
	var setup *Setup
	layer := func(string, *node) {} // effective has read it
	r.object("", root, fields{
		"include": layer, "defaults": layer, "environments": layer,
		"version": func(_ string, n *node) { r.version(n) },
		"name":    func(name string, n *node) { f.Name = r.word(name, n) },
		"catalogue": func(name string, n *node) {
			before := len(r.errs)
			f.Catalogue = r.word(name, n)
			if len(r.errs) == before && !catalogueName.MatchString(f.Catalogue) {
				r.fail(n, fmt.Sprintf("`catalogue` is %s, which is no name of a set", shown(n)), "write it like 2026-12")
			}
		},
		"server":     func(name string, n *node) { r.server(f, n) },
		"timeouts":   func(name string, n *node) { r.timeouts(&f.Timeouts, n) },
		"limits":     func(name string, n *node) { r.limits(&f.Limits, n) },
		"safety":     func(name string, n *node) { r.safety(&f.Safety, n) },
		"privacy":    func(name string, n *node) { r.privacy(f, n) },
		"secrets":    func(name string, n *node) { r.secretNames(f, name, n) },
		"ignore":     func(name string, n *node) { r.ignore(f, n) },
		"operations": func(name string, n *node) { r.operations(f, n) },
		"workload": func(_ string, n *node) {
			f.Workload = &Workload{Name: "workload"}
			r.workload(f.Workload, n)
		},
		"objectives": func(_ string, n *node) { r.objectives(f, n) },
		"tasks":      func(name string, n *node) { tasks = r.yes(name, n) },
		"answers":    func(name string, n *node) { answers = r.answers(name, n) },
		"undo":       func(_ string, n *node) { undo = r.undoHands(n) },
		"setup":      func(_ string, n *node) { setup = r.setupHands(n) },
	}, later{
		"auth": "write it under `server`",
	})
	if f.Name == "" {
		f.Name = f.Server.name()
	}
	f.inherit(undo, setup)
	for _, o := range f.Operations {
		if o.Replies == nil {
			o.Replies = answers
		}
		o.Answers = len(o.Replies) > 0
		if !o.ownTasks {
			o.Tasks = tasks
		}
	}
	r.together(f, root)
	r.reads(f)
}

func (r *reader) timeouts(t *Timeouts, n *node) {
	r.object("timeouts", n, fields{
		"connect":          func(name string, n *node) { t.Connect = r.wait(name, n) },
		"start":            func(name string, n *node) { t.Start = r.wait(name, n) },
		"call":             func(name string, n *node) { t.Call = r.wait(name, n) },
		"per_item":         func(name string, n *node) { t.PerItem = r.wait(name, n) },
		"late":             func(name string, n *node) { t.Late = r.wait(name, n) },
		"progress_extends": func(name string, n *node) { t.ProgressExtends = r.yes(name, n) },
	}, nil)
}

func (r *reader) safety(s *Safety, n *node) {
	r.object("safety", n, fields{
		"write_hosts": func(name string, n *node) {
			if none(n) {
				s.Unasked = true
				return
			}
			s.WriteHosts = r.words(name, n)
			for _, host := range s.WriteHosts {
				if wrong := badHost(host); wrong != "" {
					r.fail(n, fmt.Sprintf("`write_hosts` has %q, which is no host", printable(host)), "write the name alone, without scheme, port and path")
				}
			}
		},
		"max_write_items": func(name string, n *node) { s.MaxWriteItems = r.whole(name, n, 1, MaxItems) },
	}, nil)
}

// secretNames reads `secrets`: variables whose values are redacted wherever they show.
func (r *reader) secretNames(f *File, key string, n *node) {
	if n.kind != list {
		r.fail(n, fmt.Sprintf("`secrets` is %s, and must be a list of environment variables' names", n.is()), "write [ACME_TOKEN]")
		return
	}
	for _, item := range n.items {
		name := strings.TrimSpace(item.text)
		if item.kind != plain && item.kind != quoted || !isVariable(name) {
			r.fail(item, fmt.Sprintf("`secrets` has %s, which names no environment variable", shown(item)), "write the name, not ${NAME} and not the secret itself")
			continue
		}
		value, ok := r.getenv(name)
		if !ok {
			r.fail(item, fmt.Sprintf("the environment has no %s", name), fmt.Sprintf("set it: export %s=…", name))
			continue
		}
		f.secrets = append(f.secrets, Secret{Name: name, Value: value})
	}
}

func (r *reader) ignore(f *File, n *node) {
	if n.kind != list {
		r.fail(n, fmt.Sprintf("`ignore` is %s, and must be a list", n.is()), "write [{tool: NAME, because: REASON}]")
		return
	}
	for _, item := range n.items {
		if item.kind != mapping {
			r.fail(item, fmt.Sprintf("`ignore` has %s without a reason", shown(item)), "write {tool: NAME, because: REASON}")
			continue
		}
		var left conform.Ignored
		r.object("ignore", item, fields{
			"tool":    func(name string, n *node) { left.Tool = r.word(name, n) },
			"because": func(name string, n *node) { left.Because = r.word(name, n) },
		}, nil)
		r.need(item, "ignore", "tool", "name the tool")
		r.need(item, "ignore", "because", "say why it is left out: reports show it")
		f.Ignore = append(f.Ignore, left)
	}
}

// together looks at what must fit together across the file.
func (r *reader) together(f *File, root *node) {
	r.hidden(f)
	r.aimed(f)
	r.mixed(f)
	ignored := map[string]bool{}
	if list := root.get("ignore"); list != nil {
		for i, left := range f.Ignore {
			if ignored[left.Tool] && left.Tool != "" {
				r.fail(list.items[min(i, len(list.items)-1)], fmt.Sprintf("the tool %s is ignored twice", printable(left.Tool)), "keep one of the lines")
			}
			ignored[left.Tool] = true
		}
	}
	for _, o := range f.Operations {
		if o.Tool != "" && ignored[o.Tool] {
			r.failAt(o.File, o.Line, o.Column, fmt.Sprintf("the operation `%s` uses the tool %s, which `ignore` leaves out", o.Name, printable(o.Tool)), "take one of the two out")
		}
	}
}
