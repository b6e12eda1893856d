package target

import (
	"io/fs"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/address"
	"github.com/mcpconform/mcpconform/internal/credentials"
	"github.com/mcpconform/mcpconform/internal/objective"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// File is a target: a target file, read and found right, or what a URL or a
// command line says of a server. Its fields may be changed until a run begins.
type File struct {
	Path string // as given on the command line; empty without a file
	Name string
	// Environment is the one that was chosen; empty: none. Environments are those that
	// the file has, in its order.
	Environment  string
	Environments []string
	Catalogue    string // the set of checks asked for; empty: the newest
	Server       Server
	Timeouts     Timeouts
	Limits       Limits
	Safety       Safety
	Ignore       []conform.Ignored
	Privacy      *Privacy // nil: answers are recorded as they come, but for secrets
	// Workload is the mix of calls that load makes besides its cells; nil: none.
	Workload *Workload
	// Objectives are what the server is to achieve under load.
	Objectives []objective.Objective
	// Operations are in the order of the file.
	Operations []*Operation
	// Demonstration is set by whoever runs the built-in fake backend; no file can say it.
	Demonstration bool
	// Guessed is set by whoever took the operations from a server's listing; no file can say it.
	Guessed bool

	secrets []Secret
	folder  fs.FS // where server.copy finds its files; nil without a file
	// home is the host of the file's own server.url, whatever took its place;
	// allowed are the hosts of AllowWrite. See MayWrite.
	home string
	// moved: home is the address of an environment, which brings no consent.
	moved   bool
	allowed []string
}

// Server says how the server under test is reached: by URL, or by a command
// that speaks MCP on its stdin and stdout.
type Server struct {
	URL       string
	Transport Transport
	Protocol  string // the revision to ask for; empty: the newest both speak
	Headers   []conform.HeaderField
	TLS       wire.Trust // of a server at an https URL
	Auth      credentials.Config
	Command   []string // program and arguments, no shell
	Dir       string   // working directory of the command; empty: our own
	Env       []string // NAME=value, added to our own environment
	Copy      []Copy   // files put into the run's folder before the server starts
	Start     *Start   // how the server at the URL is started; nil: it is there

	runDir bool     // ${RUN_DIR} stands somewhere in it
	used   []Secret // variables in headers and env
}

// Transport is the way messages travel.
type Transport string

// The transports that this version speaks.
const (
	StreamableHTTP Transport = "streamable-http"
	Stdio          Transport = "stdio"
)

// Protocols are the revisions of MCP that may be asked for, oldest first.
var Protocols = []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// Timeouts bound how long is waited.
type Timeouts struct {
	Connect time.Duration // for a connection
	Start   time.Duration // for a command's first answer
	Call    time.Duration // for the answer to one call
	PerItem time.Duration // added to Call for each item asked for
	// Late is how much longer a call that may change something is waited for: what it
	// changes is not to be looked at, or put back, while the server is at work on it.
	Late time.Duration
	// ProgressExtends gives a call its time anew with each progress notification, up
	// to MostProgress times its time in all. Calls then carry a progress token.
	ProgressExtends bool
}

// MostProgress is how many times its time a call may take that tells of progress.
const MostProgress = 10

// DefaultTimeouts are in force where a file says nothing.
var DefaultTimeouts = Timeouts{Connect: 10 * time.Second, Start: 90 * time.Second, Call: 30 * time.Second, Late: 10 * time.Second}

// For gives how long to wait for a call on so many items.
func (t Timeouts) For(items int) time.Duration {
	return t.Call + time.Duration(items)*t.PerItem
}

// Most gives how long a call that tells of progress may take in all; 0: no longer
// than any other.
func (t Timeouts) Most(items int) time.Duration {
	if !t.ProgressExtends {
		return 0
	}
	return MostProgress * t.For(items)
}

// Limits are what the server takes, and the harness keeps to. A field that is 0
// is no limit.
type Limits struct {
	Rate     float64 // messages a second, of all sessions together
	InFlight int     // messages that wait for their answer at a time
	Batch    int     // items of one call
	Payload  int     // bytes of one call's arguments
}

// Narrower gives the narrower of two limits, field by field.
func (l Limits) Narrower(other Limits) Limits {
	return Limits{
		Rate: narrower(l.Rate, other.Rate), InFlight: narrower(l.InFlight, other.InFlight),
		Batch: narrower(l.Batch, other.Batch), Payload: narrower(l.Payload, other.Payload),
	}
}

// narrower gives the smaller of two limits, where 0 is none.
func narrower[N int | float64](a, b N) N {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// Safety is what the file's owner allows.
type Safety struct {
	WriteHosts []string
	// Unasked says that the file consents to no writes at all (`write_hosts: none`),
	// not even on its own server or by a command: only AllowWrite does.
	Unasked bool
	// MaxWriteItems bounds how many items a run may write; 0: no bound.
	MaxWriteItems int
}

// Operation is one multi-item operation. The embedded part is what judging
// needs and travels in the transcript; Probe, Reset, Undo and Setup stand here in full (the
// embedded fields of those names only say whether the file declares them).
type Operation struct {
	conform.Operation
	// Consumes says that an item which was written cannot be used as good again
	// until a reset. Left out in the file: true for writes.
	Consumes bool
	Probe    *Probe // nil: none declared, or declared absent
	Reset    *Reset // nil likewise
	Unit     *Hands // does it to one item a call; nil: no tool is known that does
	Undo     *Hands // take back what the operation did to some items; nil likewise
	Setup    *Setup // puts the good items in place before they are asked for; nil likewise
	Items    Items
	// Replies answer what the operation's tools ask; those of the file, unless it
	// has its own.
	Replies Answers
	// Limits are the operation's own, besides the file's: Rate and InFlight hold
	// for calls of its tool and its validator alone.
	Limits Limits

	ownTasks     bool   // the operation has a word of its own on tasks
	File         string // where the operation's name stands
	Line, Column int
}

// Host gives host and port of an HTTP server, or unix: and the path of its socket;
// empty for a command.
func (f *File) Host() string {
	at, err := address.Parse(f.Server.URL)
	if err != nil {
		return ""
	}
	return at.Host()
}

// Operation gives an operation by name; nil if there is none.
func (f *File) Operation(name string) *Operation {
	for _, o := range f.Operations {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Conform gives what judging must know of the target.
func (f *File) Conform() conform.Target {
	t := conform.Target{
		Name: f.Name, File: f.Path, Host: f.Host(),
		Transport: string(f.Server.Transport), Protocol: f.Server.Protocol,
		Builtin: f.Demonstration, HasFile: f.Path != "", Guessed: f.Guessed, Ignore: f.Ignore,
	}
	for _, o := range f.Operations {
		t.Operations = append(t.Operations, o.Operation)
	}
	return t
}
