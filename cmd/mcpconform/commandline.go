package main

import (
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// selector is how a command line names the same target again. It goes into
// reports, so a password in a URL is left out.
func (f *targetFlags) selector(command []string) string {
	var words []string
	if f.file != "" {
		words = append(words, "--target", conform.ShellWord(f.file))
	}
	if f.env != "" {
		words = append(words, "--env", conform.ShellWord(f.env))
	}
	if f.url != "" {
		words = append(words, "--url", conform.ShellWord(conform.WithoutSecrets(f.url)))
	}
	if f.protocol != "" {
		words = append(words, "--protocol", f.protocol)
	}
	words = append(words, f.auth.words()...)
	for _, file := range []struct{ flag, name string }{{"--ca-file", f.tls.CAFile}, {"--cert", f.tls.CertFile}, {"--key", f.tls.KeyFile}} {
		if file.name != "" {
			words = append(words, file.flag, conform.ShellWord(file.name))
		}
	}
	if f.tls.Insecure {
		words = append(words, "--insecure")
	}
	for _, host := range f.allow {
		words = append(words, "--allow-write", conform.ShellWord(host))
	}
	if len(command) > 0 {
		words = append(words, "--")
		for _, word := range command {
			words = append(words, conform.ShellWord(word))
		}
	}
	return strings.Join(words, " ")
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
		case strings.HasPrefix(word, "--url="), strings.HasPrefix(word, "--server-metrics="):
			name, address, _ := strings.Cut(word, "=")
			word = name + "=" + conform.WithoutSecrets(address)
		default:
			word = conform.WithoutSecrets(word)
		}
		words = append(words, conform.ShellWord(word))
	}
	return strings.Join(words, " ")
}
