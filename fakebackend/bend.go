package fakebackend

import "github.com/modelcontextprotocol/go-sdk/mcp"

// bend is what a fault puts into the work of one call. Each field stands at one
// point of the good server's way; nil leaves that point as it is.
type bend struct {
	// begin comes before anything is read.
	begin func(b *Backend, c *call)
	// plan comes when every item is resolved and before any is worked on. It
	// may turn an outcome into a refusal; the item is then left alone.
	plan func(b *Backend, c *call, j *job)
	// decide comes when a thing's state was looked at, and may change what is
	// said of it and how often it is cancelled.
	decide func(c *call, r resolved, now state, d *decision)
	// finish comes when the work is done and before the rows are written.
	finish func(b *Backend, c *call, j *job)

	// progress changes what is told of how far a call is.
	progress func(p *mcp.ProgressNotificationParams)

	// judged comes when a validator has made up its mind.
	judged func(b *Backend, c *call, s *shelf, items []resolved)

	// declined comes where the user did not agree, with what would be said of it.
	declined func(b *Backend, c *call, w write, a *answer) *answer
	// inEarnest makes what a dry run does after all.
	inEarnest func() *bend
	deaf      bool // a cancelled task does its work
	endless   bool // a task or job comes to no end
	confuse   bool // a job is taken for another
	// turn says which row a page begins with and which the next one, from where it
	// should begin and end and how many rows there are.
	turn func(from, to, n int) (first, next int)

	keyless  bool // idempotency keys mean nothing
	raceKeys bool // a key counts only once its first call has ended
	// replay makes the answer to a repeat from the one that was kept.
	replay func(b *Backend, c *call, kept *answer, run func() *answer) *answer
}

// job is the work of one multi-item write.
type job struct {
	shelf    *shelf
	items    []resolved
	outcomes []outcome
	repeats  map[int]int // item -> the earlier item of the call that it repeats
}

// last gives the last item; the zero value if there is none.
func (j *job) last() resolved {
	if len(j.items) == 0 {
		return resolved{}
	}
	return j.items[len(j.items)-1]
}

// plain tells whether the call is an ordinary one: of new items, as a person
// gives them, each once, with nothing besides.
func (j *job) plain(c *call) bool {
	for name := range c.args {
		if name != "items" && name != "subject" {
			return false
		}
	}
	for _, item := range j.items {
		if item.judged {
			return false
		}
	}
	return len(j.repeats) == 0
}

// doable gives the items that will succeed, in order.
func (j *job) doable() []int {
	var good []int
	for i, item := range j.items {
		if j.outcomes[i].problem == pending && refusal(item.entry, j.shelf.look(item.entry)) == "" {
			good = append(good, i)
		}
	}
	return good
}

// decision is what is done with a thing whose state was looked at.
type decision struct {
	outcome
	times int // how often it is cancelled
}
