package conform

import (
	"net/url"
	"strings"
)

// ShellWord writes a word so that a POSIX shell reads it back as it is. Selectors
// and the lines that reproduce a finding are made of such words.
func ShellWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$`&|;<>(){}[]*?#~!") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// WithoutPassword gives a URL without its user and password, to be shown. What
// is no URL is given as it is.
func WithoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	u.User = url.User("redacted")
	return u.String()
}
