package specs

import (
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// selector is how the command line of mcpconform names a target, for the lines
// that play a finding again. A password in a URL is left out.
func selector(f *target.File, elsewhere bool) string {
	var words []string
	if f.Path != "" {
		words = append(words, "--target", conform.ShellWord(f.Path))
	}
	if f.Path == "" || elsewhere {
		if f.Server.URL != "" {
			words = append(words, "--url", conform.ShellWord(conform.WithoutSecrets(f.Server.URL)))
		}
		if len(f.Server.Command) > 0 {
			words = append(words, "--")
			for _, w := range f.Server.Command {
				words = append(words, conform.ShellWord(w))
			}
		}
	}
	return strings.Join(words, " ")
}
