package reports

import _ "embed"

//go:embed schema/report-v1.schema.json
var reportSchema string

// Schema is the JSON Schema (draft 2020-12) of a report.
func Schema() []byte { return []byte(reportSchema) }
