package suites

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/mcpconform/mcpconform/conform"
)

// Set is the catalogue set this build judges by. It stays open until the first
// release, and is frozen then.
const Set = "2026-12-draft"

// Catalogue names the set and its digest: SHA-256 over what the rules say, so
// that two reports can tell whether they were judged by the same rules.
func Catalogue() conform.Catalogue {
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	for _, c := range All() {
		// A requirement is plain data: encoding it cannot fail.
		_ = enc.Encode(c.Requirement)
	}
	return conform.Catalogue{Set: Set, Digest: "sha256:" + hex.EncodeToString(sum.Sum(nil))[:16]}
}
