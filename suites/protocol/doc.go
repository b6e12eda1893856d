// Package protocol holds the checks PRO-*: what the Model Context Protocol
// itself asks of every message, whatever the message is about. The batch
// contract is multiitem's.
//
// Every check is a pure function of a recording. Bytes that no lawful server
// would send are expected; they are bounded, judged or left out, never a panic.
package protocol

import "github.com/mcpconform/mcpconform/conform"

// set is the catalogue set that the checks of this package first came out in.
const set = "2026-12-draft"

// Checks gives the checks in the order of their ids.
func Checks() []conform.Check {
	return append([]conform.Check{
		schemaKept(), structuredIsObject(), contentBlocks(),
		oneResponse(), resultOrError(), idsMatch(), versionTwo(),
		revisionKept(), notificationAccepted(), sessionRules(),
		eventFraming(), stdoutMessages(), toolsListed(), textClean(), alive(),
	}, aboutProgress()...)
}

// response is what all checks of this package need: the bytes of an answer.
var response = []conform.Need{conform.NeedResponse}
