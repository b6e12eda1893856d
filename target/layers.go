package target

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mostIncludes bounds how many files one target file is made of.
const mostIncludes = 32

// layered are the keys at the top whose own keys are merged one by one; of every
// other key the value that counts is taken whole.
var layered = []string{"server", "timeouts", "limits", "safety", "privacy", "defaults", "operations", "environments"}

// added are the lists that add up over files and environments: what one file wants
// redacted or left out, no other one takes back.
var added = []string{"secrets", "ignore"}

// effective gives what a file says with its includes, an environment and its
// defaults put together. Values keep the file and the line in which they stand.
func (r *reader) effective(root *node, environment string) *node {
	if root.kind != mapping {
		return root
	}
	root = r.included(root, []string{filepath.Base(r.file)})
	root = r.inEnvironment(root, environment)
	return r.withDefaults(root)
}

// included lays a file over those that it includes; chain are the files on the way
// here.
func (r *reader) included(root *node, chain []string) *node {
	list := root.get("include")
	if list == nil {
		return root
	}
	var below *node
	for _, n := range textsOfNode(list) {
		other := r.include(n, chain)
		switch {
		case other == nil:
		case below == nil:
			below = other
		default:
			below = over(other, below) // the later one counts
		}
	}
	if below == nil {
		return root
	}
	return over(root, without(below, "version", "include"))
}

func textsOfNode(n *node) []*node {
	if n.kind == list {
		return n.items
	}
	return []*node{n}
}

// include reads one included file, with what that includes; nil after an error.
func (r *reader) include(n *node, chain []string) *node {
	before := len(r.errs)
	name := path.Clean(r.word("include", n))
	switch {
	case len(r.errs) > before:
		return nil
	case r.files == nil:
		r.fail(n, "there is no folder that a file could be included from", "write its keys here")
		return nil
	case !fs.ValidPath(name):
		r.fail(n, fmt.Sprintf("`include` has %q, which is not below the target file's folder", printable(name)), "put it beside the target file, and write its path from there with slashes")
		return nil
	case slices.Contains(chain, name):
		r.fail(n, "`include` goes round in a circle: "+strings.Join(append(slices.Clone(chain), name), " includes "), "take one of them out")
		return nil
	}
	if r.includes++; r.includes > mostIncludes {
		if r.includes == mostIncludes+1 {
			r.fail(n, fmt.Sprintf("more than %d files are included", mostIncludes), "put them together")
		}
		return nil
	}
	src, err := readBounded(r.files, name, MaxFile)
	if err != nil {
		r.fail(n, fmt.Sprintf("the file cannot be included: %v", err), "write its path from the target file's folder")
		return nil
	}
	other, err := readYAML(r.neighbour(name), src)
	if err != nil {
		r.errs = append(r.errs, unjoined(err)...)
		return nil
	}
	if other.kind != mapping {
		r.fail(other, "an included file is a mapping, and this is "+other.is(), "write keys of a target file")
		return nil
	}
	if version := other.get("version"); version != nil {
		r.version(version)
	}
	return r.included(other, append(slices.Clone(chain), name))
}

// neighbour names a file in the target file's folder as errors do.
func (r *reader) neighbour(name string) string {
	if at := strings.LastIndexAny(r.file, `/\`); at >= 0 {
		return r.file[:at+1] + name
	}
	if rest, ok := strings.CutPrefix(r.file, BuiltinPrefix); ok && rest != "" {
		return BuiltinPrefix + name
	}
	return name
}

// over lays one mapping of a target file's top over another.
func over(above, below *node) *node {
	return merged(above, below, func(key string, a, b *node) *node {
		switch {
		case key == "server":
			return serverOver(a, b)
		case slices.Contains(layered, key) && a.kind == mapping && b.kind == mapping:
			return merged(a, b, nil)
		case slices.Contains(added, key) && a.kind == list && b.kind == list:
			sum := *a
			sum.items = slices.Concat(b.items, a.items)
			return &sum
		}
		return a
	})
}

// merged has the entries of both mappings, the lower one's first; of a key that both
// have what both says, or the upper one's value where that is nil.
func merged(above, below *node, both func(key string, a, b *node) *node) *node {
	out := *above
	out.entries = slices.Clone(below.entries)
	for _, e := range above.entries {
		at := slices.IndexFunc(out.entries, func(old entry) bool { return old.key == e.key })
		switch {
		case at < 0:
			out.entries = append(out.entries, e)
			continue
		case both != nil:
			e.value = both(e.key, e.value, out.entries[at].value)
		}
		out.entries[at] = e
	}
	return &out
}

// without leaves keys out of a mapping.
func without(n *node, keys ...string) *node {
	out := *n
	out.entries = slices.DeleteFunc(slices.Clone(n.entries), func(e entry) bool { return slices.Contains(keys, e.key) })
	return &out
}

// with gives a mapping in which a key that it has says something else.
func with(n *node, key string, value *node) *node {
	out := *n
	out.entries = slices.Clone(n.entries)
	for i := range out.entries {
		if out.entries[i].key == key {
			out.entries[i].value = value
		}
	}
	return &out
}

// serverOver lays one `server` over another. Where the upper one says itself where
// the server is, nothing of the other's but the revision is kept: neither headers nor
// environment, which may be credentials, go to another server.
func serverOver(above, below *node) *node {
	if above.kind != mapping || below.kind != mapping {
		return above
	}
	if above.get("url") == nil && above.get("command") == nil {
		return merged(above, below, nil)
	}
	kept := *below
	kept.entries = slices.DeleteFunc(slices.Clone(below.entries), func(e entry) bool { return e.key != "protocol" })
	return merged(above, &kept, nil)
}

// environmentKeys are what an environment may say otherwise than the file.
var environmentKeys = []string{"name", "server", "timeouts", "limits", "safety", "privacy", "secrets", "operations"}

// inEnvironment lays an environment over the file. All are looked at for what they
// may say; what they say is read of the chosen one alone, since others may need
// variables that are not set here.
func (r *reader) inEnvironment(root *node, chosen string) *node {
	all := root.get("environments")
	known := fields{}
	for _, key := range environmentKeys {
		known[key] = func(string, *node) {}
	}
	if all != nil && all.kind != mapping {
		r.fail(all, fmt.Sprintf("`environments` is %s, and must be a mapping", all.is()), "write {staging: {server: {url: …}}}")
		return root
	}
	var names []string
	var found *node
	if all != nil {
		for _, e := range all.entries {
			if strings.HasPrefix(e.key, "x-") {
				continue
			}
			if !operationName.MatchString(e.key) {
				r.failAt(e.file, e.line, e.column, fmt.Sprintf("`%s` is no name for an environment", printable(e.key)), "use letters, digits, - and _, at most 64")
				continue
			}
			names = append(names, e.key)
			value := e.value.orAt(e)
			r.object("environments."+e.key, value, known, nil)
			if e.key == chosen && value.kind == mapping {
				found = value
			}
		}
	}
	r.environments = names
	switch {
	case chosen == "":
		return root
	case slices.Contains(names, chosen) && found == nil: // told already
		return root
	case found == nil:
		mend := "it has " + quoteAll(names)
		if len(names) == 0 {
			mend = "it has no `environments`; leave --env out"
		} else if near := nearest(chosen, names); near != "" {
			mend = fmt.Sprintf("did you mean `%s`?", near)
		}
		r.failAt(r.file, 0, 0, fmt.Sprintf("the file has no environment %s", printable(chosen)), mend)
		return root
	}
	if server := found.get("server"); server != nil && server.get("url") != nil {
		r.moved = true
	}
	if at := found.get("operations"); at != nil {
		found = r.reoperated(root, found, at)
	}
	return over(found, root)
}

// reoperated puts the file's operations under an environment's, key by key: an
// environment says of an operation what is other there, most of all its items.
func (r *reader) reoperated(root, found, at *node) *node {
	own := root.get("operations")
	if at.kind != mapping || own == nil || own.kind != mapping {
		return found
	}
	var names []string
	for _, e := range own.entries {
		names = append(names, e.key)
	}
	operations := *at
	operations.entries = nil
	for _, e := range at.entries {
		below := own.get(e.key)
		if below == nil {
			mend := "an environment changes operations that the file has: " + quoteAll(names)
			if near := nearest(e.key, names); near != "" {
				mend = fmt.Sprintf("did you mean `%s`?", near)
			}
			r.failAt(e.file, e.line, e.column, fmt.Sprintf("the file has no operation %s", printable(e.key)), mend)
			continue
		}
		if below.kind == mapping && e.value.kind == mapping {
			e.value = merged(e.value, below, nil)
		}
		operations.entries = append(operations.entries, e)
	}
	return with(found, "operations", &operations)
}

// onlyWrites are keys that have no meaning for an operation that only reads; there
// they are not inherited.
var onlyWrites = []string{"undo", "dry_run"}

// withDefaults gives every operation the keys of `defaults` that it lacks.
func (r *reader) withDefaults(root *node) *node {
	defaults, operations := root.get("defaults"), root.get("operations")
	if defaults == nil {
		return root
	}
	known := fields{}
	for key := range r.operationKeys(&Operation{}, &readLater{}) {
		if key != "tool" { // two operations are rarely one tool
			known[key] = func(string, *node) {}
		}
	}
	before := len(r.errs)
	r.object("defaults", defaults, known, nil)
	if len(r.errs) > before || operations == nil || operations.kind != mapping {
		return root
	}
	all := *operations
	all.entries = slices.Clone(operations.entries)
	for i, e := range all.entries {
		value := e.value.orAt(e)
		if strings.HasPrefix(e.key, "x-") || value.kind != mapping {
			continue
		}
		effect := value.get("effect")
		if effect == nil {
			effect = defaults.get("effect")
		}
		given := defaults
		if effect != nil && effect.text == "read" {
			given = without(defaults, onlyWrites...)
		}
		all.entries[i].value = merged(value, given, nil)
	}
	return with(root, "operations", &all)
}
