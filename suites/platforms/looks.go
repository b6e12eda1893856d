package platforms

import (
	"maps"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// looking is one way to look at a subject.
type looking struct {
	takes []string // the keys that its data may have
	needs []string // those that it must have
	of    []string // what its `of` may be
	see   func(*Subject, with) sight
}

// sight is what a look saw.
type sight struct {
	hits  []hit
	of    int    // how many things were looked at
	lacks string // what would have been needed
}

// hit is one thing that breaks the rule.
type hit struct {
	tool, path, got string
	severity        conform.Severity // lower than the rule's; empty: the rule's
	list, server    string
}

func (s *sight) hit(tool, path, got string) {
	s.hits = append(s.hits, hit{tool: tool, path: path, got: got})
}

func lacking(what string) sight { return sight{lacks: what} }

// What is missing where a look cannot be made.
const (
	noAnswers     = "no answer was recorded; `run --profile`, or profile --from a transcript, has some"
	noSchemas     = "only the names of the tools are known; profile the server itself, or a transcript"
	noTransport   = "it is not known how the server is reached; profile the server itself, or a transcript"
	noExchange    = "no HTTP exchange was recorded; profile the server itself over HTTP, or a transcript"
	noServerName  = "only the name itself was measured: --server-name says what the server is called in the client, which counts too"
	noAllowed     = "no allow-list was given: --allowed-tools FILE"
	noSnapshot    = "no earlier listing was given to compare with: --snapshot FILE"
	noConfig      = "no configuration of the platform was given: --tools FILE, and --policies FILE"
	noBeside      = "no other server was named that the client has too: --beside FILE"
	noGreeting    = "the server's instructions are not known; profile the server itself, or a transcript"
	noTimes       = "no times were recorded; profile --from a transcript has some"
	noPages       = "it is not known on how many pages the tools came; profile the server itself"
	noCredentials = "credentials were sent; whether the authorization server takes client_credentials is not known"
)

// looks are all ways to look, by the name that data call them by.
var looks = map[string]looking{
	"pattern":    {takes: []string{"of", "pattern", "forbid"}, needs: []string{"of", "pattern"}, of: textsOf, see: pattern},
	"length":     {takes: []string{"of", "unit", "most", "warn", "add", "prefix"}, needs: []string{"of", "most"}, of: textsOf, see: length},
	"letters":    {see: letters},
	"described":  {see: described},
	"parameters": {see: parametersDescribed},
	"declared":   {takes: []string{"words", "forbid"}, needs: []string{"words"}, see: declared},
	"count":      {takes: []string{"most", "warn"}, needs: []string{"most"}, see: count},
	"one-page":   {see: onePage},
	"pages-end":  {see: pagesEnd},
	"cut-names":  {takes: []string{"most", "add"}, needs: []string{"most"}, see: cutNames},
	"unique":     {see: uniqueBeside},
	"named":      {takes: []string{"words"}, needs: []string{"words"}, see: resultsClash},
	"search":     {see: searchTool},

	"keywords":       {takes: []string{"of", "words", "depth"}, needs: []string{"of", "words"}, of: sides, see: keywords},
	"array-items":    {takes: []string{"of", "typed"}, needs: []string{"of"}, of: sides, see: arrayItems},
	"root":           {takes: []string{"of", "words"}, needs: []string{"of"}, of: sides, see: root},
	"strict-objects": {see: strictObjects},
	"schema-size":    {see: schemaSize},
	"enums":          {see: enums},
	"annotation":     {takes: []string{"pattern", "most"}, needs: []string{"pattern", "most"}, see: annotation},

	"fields":      {takes: []string{"of", "words"}, needs: []string{"of", "words"}, of: sides, see: fieldsLook},
	"grades":      {takes: []string{"words"}, needs: []string{"words"}, see: grades},
	"lost":        {see: lostPaths},
	"outcome":     {see: outcome},
	"summary":     {see: summary},
	"item-fields": {see: itemFields},

	"summary-true":  {see: summaryTrue},
	"summary-sent":  {see: summarySent},
	"results-deep":  {see: resultsDeep},
	"field-types":   {see: fieldTypes},
	"undeclared":    {see: undeclared},
	"links-only":    {see: linksOnly},
	"text-mirrors":  {see: textMirrors},
	"error-results": {see: errorResults},
	"partial-error": {see: partialError},
	"no-content":    {takes: []string{"words"}, needs: []string{"words"}, see: noContent},
	"error-text":    {see: errorText},
	"error-only":    {see: errorOnly},
	"wrapped":       {see: wrapped},
	"answer-size":   {takes: []string{"unit", "most", "warn", "forbid"}, needs: []string{"unit", "most"}, see: answerSize},
	"batch-stated":  {see: batchStated},

	"transport":     {takes: []string{"words"}, needs: []string{"words"}, see: transport},
	"https":         {takes: []string{"words"}, needs: []string{"words"}, see: https},
	"address":       {see: address},
	"revision":      {takes: []string{"words"}, needs: []string{"words"}, see: revision},
	"authorization": {takes: []string{"words"}, needs: []string{"words"}, see: authorization},
	"only-others":   {see: onlyOthers},
	"latency":       {takes: []string{"unit", "most"}, needs: []string{"most"}, see: latency},
	"accept":        {see: accept},
	"sse-address":   {see: sseAddress},
	"sse-framed":    {see: sseFramed},
	"in-flight":     {takes: []string{"most"}, needs: []string{"most"}, see: inFlight},
	"called":        {takes: []string{"most"}, needs: []string{"most"}, see: called},
	"too-many":      {see: tooMany},

	"snapshot":     {takes: []string{"words"}, needs: []string{"words"}, see: snapshot},
	"kept":         {see: kept},
	"entries":      {see: entries},
	"entry-keys":   {see: entryKeys},
	"entry-twice":  {see: entryTwice},
	"entry-auth":   {see: entryAuth},
	"entry-token":  {see: entryToken},
	"entry-stdio":  {see: entryStdio},
	"instruction":  {see: instruction},
	"override":     {takes: []string{"words"}, needs: []string{"words"}, see: override},
	"overrideable": {see: overrideable},
	"required":     {see: requiredLeft},

	"config-keys":      {see: configKeys},
	"config-tools":     {see: configTools},
	"config-validator": {see: configValidator},
	"config-requires":  {see: configRequires},
	"config-arguments": {see: configArguments},
	"config-confirm":   {see: configConfirm},
	"open-input":       {see: openInput},
	"recognised":       {takes: []string{"of"}, needs: []string{"of"}, of: []string{"mcp", "rest", "gateway"}, see: recognised},
	"unseen":           {see: unseen},
	"failed-ok":        {see: failedOK},

	"drift": {takes: []string{"words"}, needs: []string{"words"}, see: drift},
}

// evidence says what a look needs to see.
var evidence = map[string][]string{
	"an answer, from a transcript": {"summary-true", "summary-sent", "results-deep", "field-types", "undeclared", "links-only", "text-mirrors", "error-results", "partial-error",
		"no-content", "error-text", "error-only", "wrapped", "answer-size", "latency", "called", "in-flight", "recognised", "unseen", "failed-ok"},
	"the platform's configuration (--tools, --policies)": {"config-keys", "config-tools", "config-validator", "config-requires", "config-arguments", "config-confirm"},
	"how the server is reached":                          {"transport", "https", "address", "revision", "authorization", "accept", "sse-address", "sse-framed", "too-many"},
	"an allow-list (--allowed-tools)":                    {"entry-stdio", "entry-keys", "entry-twice", "entry-auth", "entry-token", "instruction", "override", "required", "drift"},
	"an earlier listing (--snapshot)":                    {"snapshot"},
	"the listing of another server (--beside)":           {"unique"},
	"what the server says of itself when greeted":        {"only-others"},
}

// Needs says what a rule is judged by, besides what the server lists.
func (r *Rule) Needs() []string {
	var all []string
	for _, need := range slices.Sorted(maps.Keys(evidence)) {
		if slices.ContainsFunc(r.Looks, func(l look) bool { return slices.Contains(evidence[need], l.name) }) {
			all = append(all, need)
		}
	}
	if len(all) == 0 {
		return []string{"what the server lists"}
	}
	return all
}
