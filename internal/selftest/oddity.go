package selftest

import (
	"context"
	"fmt"
	"io"
)

func oddServers() []named           { return nil }
func oddAnswers() ([]Lawful, error) { return []Lawful{}, nil }

// ServeOddity serves an odd and lawful server by its name, on a pair of pipes.
func ServeOddity(ctx context.Context, name string, in io.Reader, out io.Writer) error {
	return fmt.Errorf("no oddity is called %q", name)
}
