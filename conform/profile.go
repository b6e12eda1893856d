package conform

// Severity is how much a broken platform rule weighs.
type Severity string

// The severities, heaviest first.
const (
	Error   Severity = "error"   // the tool or server cannot be used there, or its answer is lost or wrong
	Warning Severity = "warning" // it works, but part of it is not usable, or is degraded as documented
	Info    Severity = "info"    // advice, or a limit that is not proven to apply
)

// Profile is a server as one client platform would see it.
type Profile struct {
	Platform string `json:"platform"`
	Title    string `json:"title"`
	Data     string `json:"data"` // digest of the platform data that judged
	// Tools are the server's tools in the order listed, each with the platform's word on it.
	Tools    []ProfileTool    `json:"tools"`
	Findings []ProfileFinding `json:"findings"`
	Notes    []string         `json:"notes,omitempty"`
	// Fingerprints are those of the definitions that an allow-list or a snapshot holds
	// and of the server's own, where there is one to compare.
	Fingerprints []Fingerprint `json:"fingerprints,omitempty"`
}

// Fingerprint is a tool's definition in one word, as it is kept and as the server has
// it: the same word for definitions that say the same.
type Fingerprint struct {
	Tool   string `json:"tool"`
	List   string `json:"list,omitempty"`   // empty: it is not kept
	Server string `json:"server,omitempty"` // empty: the server has no such tool
}

// ProfileTool is a platform's word on one tool.
type ProfileTool struct {
	Name  string   `json:"tool"`
	Works Works    `json:"works"`
	Rules []string `json:"rules,omitempty"` // the rules that say so
	// Fields are what of it the platform can map, where the platform maps fields.
	Fields *ToolFields `json:"fields,omitempty"`
	// Suggested is an output schema that would be usable there; empty: what there is will do.
	Suggested string `json:"suggested_output_schema,omitempty"`
}

// Works says whether a tool works on a platform.
type Works string

// The words.
const (
	WorksWhole  Works = "works"
	WorksPartly Works = "works partly"
	WorksNot    Works = "does not work"
	NotJudged   Works = "not judged" // nothing could be looked at
)

// ToolFields are the first-level fields of a tool, by side, and what can be done with them.
type ToolFields struct {
	Input    SideFields `json:"input"`
	Output   SideFields `json:"output"`
	Verdicts struct {
		Variable         bool `json:"variable"`          // the output can be stored in a variable
		Chain            bool `json:"chain"`             // it can feed another action in a fixed sequence
		DeterministicRun bool `json:"deterministic_run"` // it can be run from reasoning instructions: every field of both sides is mapped
		Condition        bool `json:"condition"`         // a field of the output can be used in a condition or filter
	} `json:"verdicts"`
}

// SideFields are the fields of one side of a tool.
type SideFields struct {
	Grade    string   `json:"grade"`
	Usable   []string `json:"usable"`   // primitives
	Opaque   []string `json:"opaque"`   // usable as a whole only
	Lost     []string `json:"lost"`     // paths below the first level
	Unlisted []string `json:"unlisted"` // neither listed as supported nor excluded
	Unmapped []string `json:"unmapped"` // of a type that does not resolve
}

// ProfileFinding is one platform rule's word.
type ProfileFinding struct {
	ID      string  `json:"id"`
	Verdict Verdict `json:"verdict"`
	// Severity is what the finding counts as, and Stated what the rule says by itself;
	// Lowered says why they differ.
	Severity Severity `json:"severity"`
	Stated   Severity `json:"stated"`
	Lowered  string   `json:"lowered,omitempty"`
	Basis    Basis    `json:"basis"`
	Tool     string   `json:"tool,omitempty"` // empty: the server as a whole
	Path     string   `json:"path,omitempty"` // where in the tool's definition, or in its answer
	Text     string   `json:"text"`           // the rule
	Got      string   `json:"got,omitempty"`
	Reason   string   `json:"reason,omitempty"` // of what was not judged, or not in full
	Mend     string   `json:"mend,omitempty"`
	Source   string   `json:"source"`
	Verified string   `json:"verified"` // the day on which the source was last read, YYYY-MM-DD
	Of       int      `json:"of"`       // how many things were looked at
	// List and Server are what an allow-list or snapshot holds, and what the server has now.
	List   string `json:"list,omitempty"`
	Server string `json:"server,omitempty"`
}

// Opposed are rules of platforms that want opposite things of a server.
type Opposed struct {
	Rule    string   `json:"rule"`
	Text    string   `json:"text"`
	Against []string `json:"against"`
}
