package house

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unwanted are texts that belong to somebody's machine or to unfinished work.
// They are put together here, so that this file does not hold them.
var unwanted = func() []*regexp.Regexp {
	var all []*regexp.Regexp
	for _, parts := range [][]string{
		{`\.\./sha`, `red\b`}, {`/wo`, `rk/`}, {`/tm`, `p/`}, {`/home/[a-z]`, `+/`}, {`/Use`, `rs/[a-z]+/`},
		{`\bTO`, `DO\b`}, {`\bFIX`, `ME\b`}, {`(?i)\bst`, `ubs?\b`}, {`(?i)\bfor n`, `ow\b`},
		{`(?i)placeholder imple`, `mentation`}, {`(?i)\bthis bri`, `ef\b`}, {`(?i)\bcoming so`, `on\b`}, {`(?i)\bnot yet imple`, `mented`},
		{`(?i)session hel`, `per`}, {`(?i)\bsuba`, `gent`}, {`(?i)\bwork t`, `ree\b`},
		{`(?i)registry\.npm`, `js`}, {`(?i)proxy\.go`, `lang`},
	} {
		all = append(all, regexp.MustCompile(strings.Join(parts, "")))
	}
	return all
}()

func TestNothingForeignStandsInTheRepository(t *testing.T) {
	looked := 0
	for _, name := range tracked(t) {
		if name == "LICENSE" || strings.HasSuffix(name, ".sum") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(text, 0) >= 0 {
			continue
		}
		looked++
		for number, line := range bytes.Split(text, []byte("\n")) {
			for _, pattern := range unwanted {
				if found := pattern.Find(line); found != nil {
					t.Errorf("%s:%d holds %q", name, number+1, found)
				}
			}
		}
	}
	if looked < 100 {
		t.Errorf("%d files were looked at", looked)
	}
}

// tracked gives the files of the repository: those that git knows, or, where the
// sources came without git, all that are there.
func tracked(t *testing.T) []string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
		list := exec.Command("git", "ls-files", "-z")
		list.Dir = root
		out, err := list.Output()
		if err != nil {
			t.Fatalf("git ls-files: %v", err)
		}
		return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	var all []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
