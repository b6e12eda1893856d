package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out, told io.Writer) error {
	if len(args) > 0 && args[0] == childWord {
		return child(args[1:], in, out)
	}
	if len(args) > 0 && args[0] == "profile" {
		return profile(ctx, args[1:], out, told)
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(told)
	to := flags.String("o", "", "write the page to `FILE`, and not to standard output")
	quick := flags.Bool("quick", false, "three rounds instead of five")
	only := flags.String("only", "", "the `PARTS` to play, of "+names()+" (default all)")
	rounds := flags.Int("rounds", 0, "how many rounds `N`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b := &bench{results: newResults(told), scale: whole, before: busy()}
	if *quick {
		b.rounds = 3
	}
	if *rounds > 0 {
		b.rounds = *rounds
	}
	begun := time.Now()
	if err := b.all(ctx, strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })); err != nil {
		return err
	}
	if *to == "" {
		return b.page(out, begun)
	}
	page, err := os.Create(*to)
	if err != nil {
		return err
	}
	return errors.Join(b.page(page, begun), page.Close())
}

func names() string {
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
	}
	return strings.Join(all, ", ")
}

// all plays the parts that are named, or all of them.
func (b *bench) all(ctx context.Context, only []string) error {
	chosen := parts
	if len(only) > 0 {
		chosen = nil
		for _, name := range only {
			at := -1
			for i := range parts {
				if parts[i].name == name {
					at = i
				}
			}
			if at < 0 {
				return fmt.Errorf("-only %s: there is no part of that name; there are %s", name, names())
			}
			chosen = append(chosen, parts[at])
		}
	}
	var err error
	if b.dir, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.peers == nil {
		b.peers = findPeers(ctx, b.dir)
	}
	for _, p := range chosen {
		if err := p.play(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// profile has our load call the bare server, and writes a profile of its processor time.
func profile(ctx context.Context, args []string, out, told io.Writer) error {
	flags := flag.NewFlagSet("bench profile", flag.ContinueOnError)
	flags.SetOutput(told)
	to := flags.String("o", "cpu.prof", "write the profile to `FILE`")
	batch := flags.Int("batch", 1, "items of a call, `N`")
	users := flags.Int("users", 8, "connections, `N`")
	path := flags.String("path", "", "how the bare server answers: `PATH`, such as /differs or /sse/differs")
	length := flags.Duration("for", 3*time.Second, "how long")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s, err := serve("bare", nil)
	if err != nil {
		return err
	}
	defer s.end()
	f, err := ask(ctx, "load", plan{URL: s.url + *path, Batch: *batch, Users: *users, For: *length, Warm: 200 * time.Millisecond, Profile: *to})
	if err == nil {
		fmt.Fprintf(out, "%.0f calls/s, %.1f µs of processor time a call\n", f.Rate, f.CPU)
	}
	return err
}
