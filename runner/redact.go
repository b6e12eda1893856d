package runner

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/mcpconform/mcpconform/conform"
)

// Secret is a value that must not leave the process in any recording, and the
// name that is shown in its place.
type Secret struct{ Name, Value string }

// shortest is the length in bytes from which a secret's value is looked for in
// bodies: a shorter one would star out innocent text.
const shortest = 8

// alwaysSecret are header fields whose values are secret whoever sends them.
var alwaysSecret = []string{"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key"}

// redactor replaces secrets where bytes enter the transcript, before anything
// is judged. Session ids become stable aliases.
type redactor struct {
	headers  map[string]bool               // lower-case names
	replace  atomic.Pointer[[]replacement] // in the order learnt; what it holds is never changed
	sessions map[string]string
}

type replacement struct {
	value *spelling
	by    []byte
}

func newRedactor(secrets []Secret, headers []string) *redactor {
	r := &redactor{headers: map[string]bool{}, sessions: map[string]string{}}
	for _, name := range append(append([]string{}, alwaysSecret...), headers...) {
		r.headers[strings.ToLower(name)] = true
	}
	seen := map[string]bool{}
	for _, s := range secrets {
		if len(s.Value) < shortest || seen[s.Value] {
			continue
		}
		seen[s.Value] = true
		r.learn(s)
	}
	return r
}

// learn takes in a secret that came to be known. One caller at a time learns; others may
// redact meanwhile.
func (r *redactor) learn(s Secret) {
	if len(s.Value) >= shortest {
		r.add(s.Value, "[redacted "+s.Name+"]")
	}
}

// add looks for a value as it is, escaped in any of the usual ways, in base64 and
// in hexadecimal.
func (r *redactor) add(value, by string) {
	forms := slices.Concat([]string{value}, inBase64(value), inHex(value))
	done := map[string]bool{}
	var all []replacement
	if known := r.replace.Load(); known != nil {
		all = slices.Clone(*known)
	}
	for _, form := range forms {
		if !done[form] && len(form) >= shortest {
			done[form] = true
			all = append(all, replacement{spellingOf(form), []byte(by)})
		}
	}
	r.replace.Store(&all)
}

func (r *redactor) fields(header []conform.HeaderField) []conform.HeaderField {
	if header == nil {
		return nil
	}
	clean := make([]conform.HeaderField, len(header))
	for i, f := range header {
		switch {
		case r.headers[strings.ToLower(f.Name)]:
			f.Value = "[redacted " + f.Name + "]"
		case strings.EqualFold(f.Name, "Mcp-Session-Id"):
			f.Value = r.session(f.Value)
		default:
			f.Value = r.text(f.Value)
		}
		clean[i] = f
	}
	return clean
}

// mostSessions is how many session ids are looked for in bodies: a server that
// gives a new one with every answer would make each later look slower.
const mostSessions = 64

// session gives a session id its alias. An id that breaks the rule for session
// ids (visible ASCII) is no working secret and is left as it is, so that the
// rule can be judged.
func (r *redactor) session(id string) string {
	if alias, ok := r.sessions[id]; ok {
		return alias
	}
	if id == "" || strings.IndexFunc(id, func(c rune) bool { return c < 0x21 || c > 0x7e }) >= 0 {
		return id
	}
	alias := fmt.Sprintf("session-%d", len(r.sessions)+1)
	r.sessions[id] = alias
	if len(id) >= shortest && len(r.sessions) <= mostSessions {
		r.add(id, alias)
	}
	return alias
}

func (r *redactor) body(b []byte) []byte {
	if all := r.replace.Load(); all != nil {
		for _, rep := range *all {
			b = rep.value.replace(b, rep.by)
		}
	}
	return b
}

func (r *redactor) fragment(b []byte) []byte { return r.body(b) }
func (r *redactor) url(s string) string      { return r.text(s) }

func (r *redactor) text(s string) string {
	if s == "" {
		return s
	}
	return string(r.body([]byte(s)))
}
