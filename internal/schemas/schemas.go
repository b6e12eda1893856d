// Package schemas holds the JSON Schemas (draft 2020-12) of the files that people
// write: for editors, and for programs that write such files. What a file may say
// is decided by its reader; a test holds the two together.
package schemas

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/reports"
)

//go:embed *.json
var files embed.FS

// Report is the name of the schema of reports, which lies beside their writers.
const Report = "report"

// Names gives the names of the schemas, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("reading an embedded folder: " + err.Error())
	}
	names := []string{Report}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}

// Read gives a schema by its name.
func Read(name string) ([]byte, error) {
	if name == Report {
		return reports.Schema(), nil
	}
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("no schema is called %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return files.ReadFile(name + ".json")
}
