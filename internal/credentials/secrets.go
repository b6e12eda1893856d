package credentials

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// shortest is from how many bytes on a secret is looked for: a shorter one would star out
// innocent text.
const shortest = 8

// secrets knows what must not be seen, and tells others of it. The zero value knows
// nothing. It is safe for concurrent use.
type secrets struct {
	tell func(name, value string) // nil: nobody is told

	mu    sync.Mutex
	known []secret
}

type secret struct{ name, value string }

// add takes in a secret; it is told of before anything is sent with it.
func (s *secrets) add(name, value string) {
	if value == "" {
		return
	}
	s.mu.Lock()
	seen := slices.ContainsFunc(s.known, func(k secret) bool { return k.value == value })
	if !seen {
		s.known = append(s.known, secret{name, value})
	}
	s.mu.Unlock()
	if !seen && s.tell != nil {
		s.tell(name, value)
	}
}

// mask stars out what is known, however it is written.
func (s *secrets) mask(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.known {
		if len(k.value) < shortest {
			continue
		}
		quoted, _ := json.Marshal(k.value) // a string always encodes
		forms := []string{k.value, string(quoted[1 : len(quoted)-1]), url.QueryEscape(k.value), url.PathEscape(k.value)}
		for _, coding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			forms = append(forms, coding.EncodeToString([]byte(k.value)))
		}
		for _, form := range forms {
			text = strings.ReplaceAll(text, form, "[redacted "+k.name+"]")
		}
	}
	return text
}

// tokenish is what looks like a secret in a text of which nobody knows what it holds: a
// JSON web token, and a long word behind a word that announces one.
var tokenish = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*|(?i)(bearer|token|secret|password|passwd|key|authorization)(["']?\s*[:= ]\s*["']?)[^\s"']{8,}`)

// maskUnknown stars out what looks like a secret as well.
func (s *secrets) maskUnknown(text string) string {
	return tokenish.ReplaceAllString(s.mask(text), "${1}${2}[redacted]")
}
