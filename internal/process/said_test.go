package process

import (
	"strings"
	"testing"
)

func TestSaid(t *testing.T) {
	for name, c := range map[string]struct {
		pieces []string
		want   string
	}{
		"two lines":       {[]string{"a\nb\n"}, `"a" … "b"`},
		"the last is cut": {[]string{"a\nb"}, `"a" … "b"`},
		"over pieces":     {[]string{"a\nhal", "f\n", "\n \n"}, `"a" … "half"`},
		"one line":        {[]string{"cannot open the database\n"}, `"cannot open the database"`},
		"nothing":         {[]string{"\n", ""}, ""},
		"a long line":     {[]string{strings.Repeat("x", 200), strings.Repeat("y", 200) + "\n"}, `"` + strings.Repeat("x", 200) + strings.Repeat("y", 100) + `"`},
		"after a blank":   {[]string{"a\r\n\r\n"}, `"a"`},
		"a hint at the end": {[]string{"server.js:12\n  throw new Bad()\n\nTypeError: no such module\n  at load (x.js:1)\nsee", " the manual\n"},
			`"server.js:12" … "TypeError: no such module" … "see the manual"`},
		"an error at the end":     {[]string{"Traceback:\n  in f\nKeyError: 'x'\n"}, `"Traceback:" … "KeyError: 'x'"`},
		"a word like it":          {[]string{"a\nmirrors and terrors\nb\n"}, `"a" … "b"`},
		"what a terminal obeys":   {[]string{"\x1b[31mred\n"}, `"\x1b[31mred"`},
		"an error that goes on":   {[]string{"panic: one\n", "error: two\nerror: three\nend"}, `"panic: one" … "end"`},
		"the same first and last": {[]string{"a\nb\na\n"}, `"a"`},
	} {
		t.Run(name, func(t *testing.T) {
			var s Said
			for _, piece := range c.pieces {
				s.Add([]byte(piece))
			}
			if got := s.String(); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
