package credentials

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// fixed is a token that nobody replaces.
type fixed struct{ value, name string }

func (f fixed) get(_ context.Context, old string) (token, error) {
	if old != "" {
		return token{}, fmt.Errorf("%s holds the only one", f.name)
	}
	return token{value: f.value, kept: true}, nil
}

// file is a token that others put into a file, and replace there.
type file struct{ path string }

// mostToken bounds a token in bytes: no server takes a longer header field.
const mostToken = 64 << 10

func (f file) get(context.Context, string) (token, error) {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return token{}, fmt.Errorf("reading the token: %w", err)
	}
	value, err := bearer(string(text))
	if err != nil {
		return token{}, fmt.Errorf("the file %s %w", f.path, err)
	}
	return token{value: value, kept: true}, nil
}

// bearer looks at what is to be a token (RFC 6750, section 2.1, and what servers take
// besides).
func bearer(text string) (string, error) {
	value := strings.TrimSpace(text)
	switch {
	case value == "":
		return "", errors.New("holds no token")
	case len(value) > mostToken:
		return "", fmt.Errorf("holds %d bytes, which is no token", len(value))
	case strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", errors.New("holds more than one word, or characters that no token has")
	}
	return value, nil
}

// command is a program that prints a token.
type command struct {
	Command
	secrets *secrets
}

func (c *command) get(ctx context.Context, _ string) (token, error) {
	words := c.Words
	if c.Shell != "" {
		words = []string{"sh", "-c", c.Shell}
		if runtime.GOOS == "windows" {
			words = []string{"cmd", "/C", c.Shell}
		}
	}
	for _, pair := range os.Environ() { // the program may tell of its own
		if name, value, _ := strings.Cut(pair, "="); conform.SecretName(name) {
			c.secrets.add(name, value)
		}
	}
	began := time.Now()
	out, err := wire.NewAside(wire.Timeouts{}, "", wire.Trust{}).Command(ctx, words, nil, c.Timeout)
	if err != nil {
		return token{}, fmt.Errorf("the token command %s: %s", words[0], c.secrets.maskUnknown(err.Error()))
	}
	var answer struct {
		Token string  `json:"access_token"`
		Life  float64 `json:"expires_in"`
	}
	text := strings.TrimSpace(string(out))
	if strings.HasPrefix(text, "{") {
		if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Token == "" {
			return token{}, fmt.Errorf("the token command %s printed JSON without an access_token", words[0])
		}
		text = answer.Token
	}
	value, err := bearer(text)
	if err != nil {
		return token{}, fmt.Errorf("what the token command %s printed %w", words[0], err)
	}
	return newToken(value, time.Duration(answer.Life*float64(time.Second)), began), nil
}
