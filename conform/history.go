package conform

import "time"

// History is what was asked, answered and seen of one item of an operation, in one
// playing of a scenario. In a finding it is the smallest part of it that shows that no
// order explains the whole.
type History struct {
	Item      string `json:"item"`      // the name that the eyes know it by
	Semantics string `json:"semantics"` // once | idempotent | append: what it was judged by
	// Known says whose word the semantics are: "the target file says so".
	Known  string      `json:"known"`
	Events []Happening `json:"events"`
}

// Happening is one thing that happened to an item: a call that asked for it, or a look
// at its state.
type Happening struct {
	Kind    HappeningKind `json:"kind"`
	Call    string        `json:"call"` // id of the call that asked, or by which was looked
	Session string        `json:"session,omitempty"`
	// Begun and Over are numbers of observations: what happened, happened after the one
	// and before the other. Over is 0 where nobody knows: no answer came.
	Begun int64         `json:"begun"`
	Over  int64         `json:"over,omitempty"`
	From  time.Duration `json:"from_ns"` // the same on the run's clock
	To    time.Duration `json:"to_ns,omitempty"`

	// Of a write: what became of the item by the answer, the key that was sent along, and
	// the protocol or operation id that the row carries.
	Said     Said   `json:"said,omitempty"`
	Key      string `json:"key,omitempty"`
	Protocol string `json:"protocol,omitempty"`

	// Of a look: the state as the probe shows it, whether that means done, and how often
	// it was done, where the probe can tell.
	Seen  string `json:"seen,omitempty"`
	Done  bool   `json:"done,omitempty"`
	Count *int64 `json:"count,omitempty"`
}

// HappeningKind sorts happenings.
type HappeningKind string

// The kinds.
const (
	Write  HappeningKind = "write"
	Looked HappeningKind = "look"
)

// Said is what became of an item of a call, by the answer.
type Said string

// What can be said.
const (
	Acknowledged Said = "acknowledged"
	Denied       Said = "refused"
	Unanswered   Said = "unanswered" // or answered without a word on the item: it may be done, or not, or later
)
