package specs

import (
	"net/url"
	"strings"

	"github.com/mcpconform/mcpconform/target"
)

// selector is how the command line of mcpconform names a target, for the lines
// that play a finding again. A password in a URL is left out.
func selector(f *target.File, elsewhere bool) string {
	var words []string
	if f.Path != "" {
		words = append(words, "--target", shellWord(f.Path))
	}
	if f.Path == "" || elsewhere {
		if f.Server.URL != "" {
			words = append(words, "--url", shellWord(withoutPassword(f.Server.URL)))
		}
		if len(f.Server.Command) > 0 {
			words = append(words, "--")
			for _, w := range f.Server.Command {
				words = append(words, shellWord(w))
			}
		}
	}
	return strings.Join(words, " ")
}

func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	u.User = url.User("redacted")
	return u.String()
}

// shellWord quotes a word for a POSIX shell.
func shellWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$`&|;<>(){}[]*?#~!") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
