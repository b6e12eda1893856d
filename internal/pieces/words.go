package pieces

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// JobMembers are the members by which servers name a job.
var JobMembers = []string{"job_id", "jobId", "task_id", "taskId", "operation_id", "operationId", "batch_id", "batchId", "run_id", "runId", "job"}

// States are the members that say how far a job is.
var States = []string{"status", "state"}

// cursors are the members that hold a cursor, each with the argument that takes
// it.
var cursors = []struct{ member, argument string }{
	{"next_cursor", "cursor"}, {"nextCursor", "cursor"}, {"next_page_token", "page_token"}, {"nextPageToken", "pageToken"},
	{"next_page", "page"}, {"nextPage", "page"},
}

// flags are the members that say whether more rows follow.
var flags = []string{"has_more", "hasMore"}

var (
	unfinished = regexp.MustCompile(`(?i)^(pending|queued|accepted|submitted|scheduled|started|running|processing|in[ _-]?progress|working)$`)
	done       = regexp.MustCompile(`(?i)^(done|completed?|succeeded|success(ful)?|finished|partial(ly)?[ _-]?(success|succeeded|completed?))$`)
	failed     = regexp.MustCompile(`(?i)^(failed|failure|error(ed)?|cancell?ed|aborted|rejected|expired|timed[ _-]?out)$`)
)

// Unfinished tells a word that says that a job has not ended.
func Unfinished(word string) bool { return unfinished.MatchString(strings.TrimSpace(word)) }

// MoreFollow tells whether an object says that more rows follow than it has.
func MoreFollow(n *rawjson.Node) bool {
	for _, name := range flags {
		if yes, ok := n.Get(name).Bool(); ok {
			return yes
		}
	}
	for _, c := range cursors {
		mark := n.Get(c.member)
		if yes, ok := mark.Bool(); ok && yes || !ok && !mark.Empty() {
			return true
		}
	}
	return false
}

// names tells a value that can name something: a text that says something, or a
// number.
func names(n *rawjson.Node) bool {
	return (n.Is(rawjson.String) || n.Is(rawjson.Number)) && !n.Empty()
}

// Tells tells whether answers say by a member of that name that they are a piece:
// a job, how far it is, or that more rows follow.
func Tells(member string) bool {
	for _, c := range cursors {
		if c.member == member {
			return true
		}
	}
	return slices.Contains(JobMembers, member) || slices.Contains(States, member) || slices.Contains(flags, member)
}
