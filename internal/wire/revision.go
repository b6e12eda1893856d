package wire

import "slices"

// The revisions of the protocol that this client speaks.
const (
	Revision20250326 = "2025-03-26"
	Revision20250618 = "2025-06-18"
	Revision20251125 = "2025-11-25"
	Revision20260728 = "2026-07-28"
)

// Revisions are the revisions that can be asked for, newest first.
var Revisions = []string{Revision20260728, Revision20251125, Revision20250618, Revision20250326}

// oldest is never asked for, but a server may answer with it: on stdio it is
// spoken like 2025-03-26.
const oldest = "2024-11-05"

// newestHandshake is the newest revision that begins with initialize.
const newestHandshake = Revision20251125

// known tells whether a revision that a server answered can be spoken.
func known(revision string) bool {
	return revision == oldest || slices.Contains(Revisions, revision)
}

// stateless tells whether a revision has no handshake and no session: every
// request carries what initialize used to agree. Revisions are dates, so they
// compare as text.
func stateless(revision string) bool { return revision >= Revision20260728 }

// announced tells whether HTTP requests after the handshake name the revision in
// MCP-Protocol-Version.
func announced(revision string) bool { return revision >= Revision20250618 }

// best gives the newest revision of a server's list that we speak and that
// begins with initialize; empty if there is none.
func best(offered []string) string {
	for _, r := range Revisions {
		if !stateless(r) && slices.Contains(offered, r) {
			return r
		}
	}
	return ""
}
