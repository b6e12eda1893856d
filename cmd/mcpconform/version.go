package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/suites"
)

// release is set by a release build (-ldflags "-X main.release=v1.2.3").
var release = ""

// version names this build: the release, else the module version or the commit
// that the Go tool stamped, else "devel".
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

func newVersion(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Tool, catalogue set and digest, protocol revisions",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			tellVersion(w.out)
			return nil
		},
	}
}

func tellVersion(out io.Writer) {
	c := suites.Default().Catalogue()
	fmt.Fprintf(out, "mcpconform %s\ncatalogue  %s (%s), %d checks\nrevisions  %s\n",
		version(), c.Set, c.Digest, len(suites.Default().Rules), strings.Join(wire.Revisions, ", "))
}
