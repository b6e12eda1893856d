package multiitem

import (
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/pieces"
)

// Reads tells whether some rule looks at what stands under a member of that name,
// at any depth of an answer, beyond its kind and whether it says anything: flags,
// identities, totals, and words by which an answer tells how it is meant. It is for
// readers that pass over what no rule looks at; a name too many costs them time, a
// name too few would cost them the truth.
func Reads(op *conform.Operation, member string) bool {
	name := strings.ToLower(member)
	if readNames[name] || protocolNames[separators.Replace(name)] {
		return true
	}
	if _, ok := closedList[name]; ok {
		return true
	}
	same := func(other string) bool { return strings.EqualFold(other, member) }
	r := op.Results
	return pieces.Tells(member) || slices.ContainsFunc(r.ID, same) || slices.ContainsFunc(r.Success, same) || slices.ContainsFunc(r.Add, same)
}

// readNames are names that rules know besides those of the lists.
var readNames = map[string]bool{
	// The contract's own: where rows stand, what they say, whom they are about.
	"results": true, "result": true, "output": true, "data": true, "success": true, "ok": true,
	"id": true, "name": true, "subject": true, "key": true, "index": true, "item": true,
	"iserror": true, "structuredcontent": true, "content": true, "type": true, "_meta": true, "resulttype": true,
	// The framework's, and words that tell how a call stands.
	"multi_item_status": true, "partial_success": true, "original_ok": true, "secondary_error": true, "terminal": true,
	"items_succeeded_count": true, "items_failed_count": true, "primary_tool": true, "metadata": true,
	"eligible": true, "requeststate": true, "inputrequests": true, "task": true,
}

// NamesProtocol tells whether a member of that name holds a protocol or operation
// id, which a write gives each item that it did (IDM-04).
func NamesProtocol(member string) bool {
	return protocolNames[strings.ToLower(separators.Replace(member))]
}
