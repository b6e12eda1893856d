package selftest

import (
	"bytes"
	"fmt"

	"github.com/theory/jsonpath"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// everybody masks all that names an item or somebody, wherever the fake backend
// takes or tells it.
var everybody = masking("$..id", "$..name", "$..subject", "$..protocol", "$..customer", "$..cents", "$.items[*]", "$.ids[*]", "$.order_ids[*]", "$..idempotency_key")

func masking(paths ...string) *target.Privacy {
	p := &target.Privacy{}
	for _, path := range paths {
		p.Paths = append(p.Paths, target.MaskPath{Written: path, Path: jsonpath.MustParse(path)})
	}
	return p
}

// masked judges the recording as it would stand if its target file masked all of
// the fake backend's data.
func (r recorded) masked() (reports.Report, error) {
	header, observations, err := conform.ReadTranscript(bytes.NewReader(r.transcript))
	if err != nil {
		return reports.Report{}, fmt.Errorf("reading the transcript back: %w", err)
	}
	file := *r.file
	file.Privacy = everybody
	return runner.Judge(runner.Mask(&file, header, observations))
}
