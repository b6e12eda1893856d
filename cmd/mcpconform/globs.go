package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/filter"
	"github.com/mcpconform/mcpconform/internal/near"
	"github.com/mcpconform/mcpconform/runner"
)

// globs is a flag that takes globs: one, several with commas between, or @FILE with one
// a line. It remembers where each stands.
type globs struct {
	list []string
	at   map[string]string // of a glob from a file: file:line
}

var _ pflag.Value = (*globs)(nil)

// String is empty for none, so that help tells no default.
func (g *globs) String() string { return strings.Join(g.list, ",") }

func (g *globs) Type() string { return "strings" }

// Set adds what a flag names.
func (g *globs) Set(text string) error {
	for _, word := range strings.Split(text, ",") {
		word = strings.TrimSpace(word)
		path, isFile := strings.CutPrefix(word, "@")
		switch {
		case word == "":
			return errors.New("an empty name: give a name or a pattern, or @FILE with one a line")
		case !isFile:
			g.list = append(g.list, word)
		default:
			if err := g.read(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostOfList bounds a file of globs, in bytes.
const mostOfList = 1 << 20

func (g *globs) read(path string) error {
	if path == "" {
		return errors.New("@ names no file: write @FILE")
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() > mostOfList {
		return fmt.Errorf("%s is larger than %d bytes: it is no list of names", path, mostOfList)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	found := false
	for i, line := range strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
		line, _, _ = strings.Cut(line, "#") // which no name holds
		words := strings.Fields(line)
		at := fmt.Sprintf("%s:%d", path, i+1)
		switch {
		case len(words) == 0:
			continue
		case len(words) > 1 || strings.ContainsAny(line, ",@"):
			return fmt.Errorf("%s: %q is not one name or pattern: write one a line", at, strings.TrimSpace(line))
		}
		found = true
		g.list = append(g.list, words[0])
		if g.at == nil {
			g.at = map[string]string{}
		}
		if g.at[words[0]] == "" {
			g.at[words[0]] = at
		}
	}
	if !found {
		return fmt.Errorf("%s names nothing: write one name or pattern a line", path)
	}
	return nil
}

// globs gives the filters by their flags.
func (f *runFlags) globs() map[string]*globs {
	return map[string]*globs{"--checks": &f.checks, "--skip": &f.skip, "--level": &f.level, "--scenario": &f.scenario, "--operation": &f.operation}
}

// levels reads --level.
func (f *runFlags) levels() ([]conform.Level, error) {
	known := []conform.Level{conform.Must, conform.Should, conform.May}
	var names []string
	for _, l := range known {
		names = append(names, l.String())
	}
	var levels []conform.Level
	for _, word := range f.level.list {
		at := slices.Index(names, strings.ToUpper(word))
		if at < 0 {
			wrong := &filter.Error{Flag: "--level", Glob: word, Known: names, Near: near.Word(strings.ToUpper(word), names)}
			return nil, runError(located(&runner.UsageError{Err: wrong}, f.globs()))
		}
		levels = append(levels, known[at])
	}
	return levels, nil
}

// located adds to the error of a filter where the glob stands, if that is in a file.
func located(err error, flags map[string]*globs) error {
	var wrong *filter.Error
	if !errors.As(err, &wrong) || flags[wrong.Flag] == nil {
		return err
	}
	at := flags[wrong.Flag].at[wrong.Glob]
	if at == "" {
		return err
	}
	out := &runner.UsageError{Err: fmt.Errorf("%s: %w", at, wrong)}
	var usage *runner.UsageError
	if errors.As(err, &usage) {
		out.Hint = usage.Hint
	}
	return out
}
