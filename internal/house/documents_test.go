package house

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// document is a Markdown file of the repository, and its name from the root.
type document struct{ name, text string }

func documents(t *testing.T) []document {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("docs holds no documents: %v", err)
	}
	var all []document
	for _, path := range append([]string{filepath.Join(root, "README.md")}, paths...) {
		all = append(all, document{strings.TrimPrefix(filepath.ToSlash(path), root+"/"), readText(t, path)})
	}
	return all
}

func named(t *testing.T, name string) document {
	t.Helper()
	return document{name, readText(t, filepath.Join(root, name))}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// block is one fenced block: its language, what it holds, and what follows it.
type block struct {
	document
	line           int
	language, body string
	after          string
}

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

func (d document) blocks(language string) []block {
	var all []block
	for _, m := range fence.FindAllStringSubmatchIndex(d.text, -1) {
		b := block{document: d, line: strings.Count(d.text[:m[0]], "\n") + 1, language: d.text[m[2]:m[3]], body: d.text[m[4]:m[5]], after: d.text[m[1]:]}
		if b.language == language {
			all = append(all, b)
		}
	}
	return all
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.name, b.line) }

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestLinksOfTheDocumentsResolve(t *testing.T) {
	for _, d := range documents(t) {
		prose := fence.ReplaceAllString(d.text, "")
		for _, m := range link.FindAllStringSubmatch(prose, -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			to := d
			if path != "" {
				to.name = filepath.ToSlash(filepath.Join(filepath.Dir(d.name), path))
				if _, err := os.Stat(filepath.Join(root, to.name)); err != nil {
					t.Errorf("%s links to %s: %v", d.name, m[1], err)
					continue
				}
			}
			if anchor == "" {
				continue
			}
			if path != "" {
				to = named(t, to.name)
			}
			if !slices.Contains(anchors(to.text), anchor) {
				t.Errorf("%s links to %s, and there is no such heading", d.name, m[1])
			}
		}
	}
}

var (
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the names that Markdown hosts give to headings.
func anchors(text string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		all = append(all, strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return all
}
