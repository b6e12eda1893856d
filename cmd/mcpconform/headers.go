package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/runner"
)

// fields reads --header and --token-env. A header whose value holds ${NAME}
// keeps its secret out of the process list; a literal one is told.
func (f *targetFlags) fields(w world) (fields []conform.HeaderField, literal []string, secrets []runner.Secret, err error) {
	for _, word := range f.headers {
		name, value, found := strings.Cut(word, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || name == "" {
			return nil, nil, nil, usage(fmt.Errorf("--header %q is not of the form 'K: V'", name), "for example --header 'Authorization: Bearer ${TOKEN}'")
		}
		expanded, used, err := expand(value, w.getenv)
		if err != nil {
			return nil, nil, nil, usage(fmt.Errorf("--header %s: %w", name, err), "")
		}
		if used == 0 && sensitive(name) {
			literal = append(literal, name)
		}
		secrets = append(secrets, runner.Secret{Name: name, Value: expanded})
		if _, token, found := strings.Cut(expanded, " "); found {
			secrets = append(secrets, runner.Secret{Name: name, Value: token})
		}
		fields = append(fields, conform.HeaderField{Name: name, Value: expanded})
	}
	if f.tokenEnv != "" {
		token, ok := w.getenv(f.tokenEnv)
		if !ok || token == "" {
			return nil, nil, nil, usage(fmt.Errorf("--token-env %s: the environment variable is not set", f.tokenEnv), "export it first")
		}
		fields = append(fields, conform.HeaderField{Name: "Authorization", Value: "Bearer " + token})
		secrets = append(secrets, runner.Secret{Name: f.tokenEnv, Value: token})
	}
	return fields, literal, secrets, nil
}

// sensitive tells whether a header usually carries a credential.
func sensitive(name string) bool {
	name = strings.ToLower(name)
	return conform.SecretName(name) || strings.Contains(name, "key") || strings.Contains(name, "cookie")
}

// expand replaces ${NAME} by the environment's value and tells how many it
// replaced. A missing variable is an error.
func expand(text string, getenv func(string) (string, bool)) (string, int, error) {
	var b strings.Builder
	used := 0
	for {
		start := strings.Index(text, "${")
		if start < 0 {
			b.WriteString(text)
			return b.String(), used, nil
		}
		end := strings.Index(text[start:], "}")
		if end < 0 {
			return "", 0, errors.New("${ has no }")
		}
		name := text[start+2 : start+end]
		value, ok := getenv(name)
		if !ok {
			return "", 0, fmt.Errorf("the environment variable %s is not set", name)
		}
		b.WriteString(text[:start])
		b.WriteString(value)
		used++
		text = text[start+end+1:]
	}
}
