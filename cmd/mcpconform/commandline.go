package main

import (
	"net/url"
	"strings"
)

// selector is how a command line names the same target again. It goes into
// reports, so a password in a URL is left out.
func (f *targetFlags) selector(command []string) string {
	var words []string
	if f.file != "" {
		words = append(words, "--target", shellWord(f.file))
	}
	if f.url != "" {
		words = append(words, "--url", shellWord(withoutPassword(f.url)))
	}
	if f.protocol != "" {
		words = append(words, "--protocol", f.protocol)
	}
	if len(command) > 0 {
		words = append(words, "--")
		for _, word := range command {
			words = append(words, shellWord(word))
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

func shellWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$`&|;<>(){}[]*?#~!") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// commandLine is the command line for the report. Header values are never in it.
func (r reached) commandLine(args []string) string {
	words := []string{"mcpconform"}
	hide := false
	for _, word := range args {
		switch {
		case hide:
			name, _, _ := strings.Cut(word, ":")
			word, hide = name+": [redacted]", false
		case word == "--header":
			hide = true
		case strings.HasPrefix(word, "--header="):
			name, _, _ := strings.Cut(strings.TrimPrefix(word, "--header="), ":")
			word = "--header=" + name + ": [redacted]"
		case strings.HasPrefix(word, "--url="):
			word = "--url=" + withoutPassword(strings.TrimPrefix(word, "--url="))
		default:
			word = withoutPassword(word)
		}
		words = append(words, shellWord(word))
	}
	return strings.Join(words, " ")
}
