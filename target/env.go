package target

import (
	"fmt"
	"strings"
)

// RunDir is the one variable that is not read from the environment. Under
// `server`, ${RUN_DIR} is an empty folder made for the run (see MakeRunDir).
const RunDir = "RUN_DIR"

// runDirMark stands for the folder until it is made. No text of a file can hold
// it: expand refuses NUL.
const runDirMark = "\x00" + RunDir + "\x00"

// expand replaces ${NAME} by the environment's value; $${ stands for ${.
func (r *reader) expand(n *node) string {
	if strings.ContainsRune(n.text, 0) {
		r.fail(n, "a NUL character", "leave it out")
		return ""
	}
	if !strings.Contains(n.text, "${") {
		return n.text
	}
	var out strings.Builder
	rest := n.text
	for {
		before, after, found := strings.Cut(rest, "${")
		if !found {
			out.WriteString(rest)
			return out.String()
		}
		if strings.HasSuffix(before, "$") {
			out.WriteString(before[:len(before)-1] + "${")
			rest = after
			continue
		}
		out.WriteString(before)
		name, behind, closed := strings.Cut(after, "}")
		if !closed || !isVariable(name) {
			r.fail(n, fmt.Sprintf("`${%s` names no environment variable", printable(name)), "write ${NAME}, or $${ for the two characters")
			return ""
		}
		out.WriteString(r.variable(n, name))
		rest = behind
	}
}

func (r *reader) variable(n *node, name string) string {
	if name == RunDir {
		if !r.here {
			r.fail(n, "${RUN_DIR} is known under `server` only", "write a path that is relative to the server's `dir`")
			return ""
		}
		r.usesRunDir = true
		return runDirMark
	}
	if name == Port && r.here && r.starts {
		return r.freePort(n)
	}
	value, ok := r.getenv(name)
	switch {
	case !ok:
		r.fail(n, fmt.Sprintf("the environment has no %s", name), fmt.Sprintf("set it: export %s=…", name))
		return ""
	case strings.ContainsRune(value, 0):
		r.fail(n, fmt.Sprintf("%s holds a NUL character", name), "set it without")
		return ""
	}
	r.used = append(r.used, Secret{Name: name, Value: value})
	return value
}

// isVariable tells whether a text may be an environment variable's name.
func isVariable(name string) bool {
	for i, c := range name {
		switch {
		case c == '_', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
		case '0' <= c && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return name != ""
}
