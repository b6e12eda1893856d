package load

import "sync/atomic"

// JSON-RPC ids have ten digits, so that a message's length never changes, and
// begin beyond those that a session gives its own messages.
const (
	firstID  = 1_100_000_000
	lastID   = 9_999_999_999
	idDigits = 10
	idBlock  = 1024
)

// IDs gives the ids of all users of one server: no two calls have one until they
// are used up, after nine thousand million.
type IDs struct{ next atomic.Uint64 }

// NewIDs makes a source of ids.
func NewIDs() *IDs { return &IDs{} }

// block gives the first of idBlock ids.
func (s *IDs) block() uint64 {
	const blocks = (lastID - firstID + 1) / idBlock
	return firstID + (s.next.Add(1)-1)%blocks*idBlock
}

// One gives one id, for a call beside those of the users.
func (s *IDs) One() uint64 { return s.block() }

// putDigits writes a number over the digits of a field, which it must fill.
func putDigits(field []byte, value uint64) {
	for i := len(field) - 1; i >= 0; i-- {
		field[i] = byte('0' + value%10)
		value /= 10
	}
}
