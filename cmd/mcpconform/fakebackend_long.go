package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// longFlags make a fake backend that asks back, takes long, is shared, or is
// watched and limited from outside.
type longFlags struct {
	confirm      int
	tasks        string
	taskHands    bool
	jobs         bool
	pages        int
	takes        time.Duration
	slowWrites   time.Duration
	slowEvery    int
	eventual     string
	secondWriter string
	// secondFollows has the second writer change what calls change.
	secondFollows bool
	undo          bool
	idleUndo      bool
	stock         bool
	resume        bool
	dryRun        bool
	noProbe       bool
	noReset       bool
	stateFile     string
	readState     string

	rate          string
	rateStatus    int
	noRetryAfter  bool
	token         string
	tokenEnv      string
	oauth         bool
	tokenRequests int
	tokenLife     time.Duration
	badGateway    int
	cut           int
	lose          int
	tear, forget  int
	eventIDs      bool
}

func (f *longFlags) add(flags *pflag.FlagSet) {
	optional := func(name, alone string) { flags.Lookup(name).NoOptDefVal = alone }
	flags.IntVar(&f.confirm, "confirm", 0, "add cancel_products_confirmed, which asks the user, in so many `ROUNDS`: 1 or 2")
	optional("confirm", "1")
	flags.StringVar(&f.tasks, "tasks", "", "add cancel_products_task, with task `SUPPORT` required or optional")
	optional("tasks", string(fakebackend.TaskRequired))
	flags.BoolVar(&f.taskHands, "task-hands", false, "with --tasks: reset and the tools of --undo and --stock run as tasks too")
	flags.BoolVar(&f.jobs, "jobs", false, "add cancel_products_job, which answers with a job_id, and get_job")
	flags.IntVar(&f.pages, "pages", 0, "add cancel_products_paged, which answers so many `ROWS` at a time")
	optional("pages", strconv.Itoa(fakebackend.DefaultPage))
	flags.DurationVar(&f.takes, "takes", fakebackend.DefaultTakes, "how long a task or a job takes")
	flags.DurationVar(&f.slowWrites, "slow-writes", 0, "how long a write is at work before it is done, given up or not")
	flags.IntVar(&f.slowEvery, "slow-every", 0, "let only every `N`th write be slow")
	flags.StringVar(&f.eventual, "eventual", "", "show effects only after a `DELAY`, or never; without a value 1.5s")
	optional("eventual", "1.5s")
	flags.StringVar(&f.secondWriter, "second-writer", "", "another user changes things before every Nth call, or at an interval: `N|INTERVAL`")
	optional("second-writer", "10")
	flags.BoolVar(&f.secondFollows, "second-writer-follows", false, "the other user changes what calls have cancelled last, in place of the next of the catalogue")
	flags.BoolVar(&f.undo, "undo", false, "add restore_products and restore_subscriptions, which take cancellations back")
	flags.BoolVar(&f.idleUndo, "idle-undo", false, "let the tools of --undo say that they did, and do nothing")
	flags.BoolVar(&f.stock, "stock", false, "add add_products, and remove_products for what that added")
	flags.BoolVar(&f.dryRun, "dry-run", false, "add cancel_products_rehearsed, which with dry_run says what it would do, and does nothing")
	flags.BoolVar(&f.noProbe, "no-probe", false, "leave get_products and get_subscriptions out")
	flags.BoolVar(&f.noReset, "no-reset", false, "leave reset out")
	flags.StringVar(&f.stateFile, "state-file", "", "write the state to this `FILE` at every write")
	flags.BoolVar(&f.resume, "resume", false, "begin with the state that the file of --state-file holds, if it is there")
	flags.StringVar(&f.readState, "read-state", "", "serve nothing: read a JSON list of ids, and write their states by this state `FILE`")
	flags.StringVar(&f.rate, "rate", "", "take so many calls in a time, `N/TIME`: 60/min, 5/s, 100/10s; more are refused with 429 (HTTP)")
	flags.IntVar(&f.rateStatus, "rate-status", 0, "refuse calls beyond --rate with this status, 429 or 503")
	flags.BoolVar(&f.noRetryAfter, "no-retry-after", false, "leave Retry-After out when calls are refused by --rate")
	flags.StringVar(&f.token, "require-token", "", "refuse requests without this bearer `TOKEN` with 401 (HTTP)")
	flags.StringVar(&f.tokenEnv, "require-token-env", "", "the same, the token in this environment variable: `NAME`")
	flags.BoolVar(&f.oauth, "oauth", false, "ask for tokens of an authorization server of its own: client credentials, logins to which the user consents at once; the client it knows is printed (HTTP)")
	flags.IntVar(&f.tokenRequests, "token-requests", 0, "refuse a token with 401 once it has let in so many requests, `N` (HTTP)")
	flags.DurationVar(&f.tokenLife, "token-life", 0, "with --oauth: say that tokens last so `LONG`")
	flags.IntVar(&f.badGateway, "bad-gateway-every", 0, "an intermediary answers every `N`th call with an HTML page of status 502 (HTTP)")
	flags.IntVar(&f.cut, "cut-every", 0, "an intermediary cuts the connection of every `N`th call before it gets here (HTTP)")
	flags.IntVar(&f.lose, "lose-every", 0, "an intermediary cuts the connection of every `N`th call when it is done (HTTP)")
	flags.IntVar(&f.tear, "tear-every", 0, "an intermediary cuts the connection of every `N`th call in the middle of its answer (HTTP)")
	flags.IntVar(&f.forget, "forget-every", 0, "forget the session of every `N`th call, which is answered with 404 (HTTP)")
	flags.BoolVar(&f.eventIDs, "event-ids", false, "give events ids, so that a stream that broke off can be taken up again (HTTP, with sessions)")
}

// overHTTP are the flags that mean nothing on a pair of pipes.
var overHTTP = []string{"rate", "rate-status", "no-retry-after", "require-token", "require-token-env", "oauth", "token-requests", "token-life", "bad-gateway-every", "cut-every", "lose-every", "tear-every", "forget-every", "event-ids"}

// into puts the flags into options.
func (f *longFlags) into(o *fakebackend.Options, flags *pflag.FlagSet, stdio bool, getenv func(string) (string, bool)) (err error) {
	for _, name := range overHTTP {
		if stdio && flags.Changed(name) {
			return usage(fmt.Errorf("--%s means nothing with --stdio", name), "serve with --http")
		}
	}
	o.ConfirmRounds, o.Tasks, o.Jobs, o.PageRows = f.confirm, fakebackend.TaskSupport(f.tasks), f.jobs, f.pages
	o.TaskHands = f.taskHands
	if flags.Changed("takes") {
		if o.Takes = f.takes; f.takes == 0 {
			o.Takes = time.Nanosecond // at once; 0 would be the default
		}
	}
	if o.VisibleAfter, err = lateness(f.eventual); err != nil {
		return usage(err, "for example --eventual, --eventual=3s or --eventual=never")
	}
	if o.SecondWriter, err = anotherUser(f.secondWriter); err != nil {
		return usage(err, "for example --second-writer=10 or --second-writer=5s")
	}
	if f.slowEvery != 0 && f.slowWrites == 0 {
		return usage(errors.New("--slow-every says which writes --slow-writes is for"), "add --slow-writes, for example --slow-writes 5s")
	}
	o.SlowWrites, o.SlowEvery = f.slowWrites, f.slowEvery
	if f.secondFollows && f.secondWriter == "" {
		return usage(errors.New("--second-writer-follows says what the second writer changes, and there is none"), "give --second-writer as well")
	}
	o.SecondWriter.Follows = f.secondFollows
	o.Undo, o.IdleUndo, o.Stock, o.NoProbe, o.NoReset = f.undo, f.idleUndo, f.stock, f.noProbe, f.noReset
	o.StateFile, o.Resume = f.stateFile, f.resume
	o.DryRuns = f.dryRun
	if o.Limit, err = limit(f.rate); err != nil {
		return usage(err, "for example --rate 60/min")
	}
	if f.rate == "" && (f.rateStatus != 0 || f.noRetryAfter) {
		return usage(errors.New("--rate-status and --no-retry-after say how --rate refuses"), "add --rate, for example --rate 60/min")
	}
	o.Limit.Status, o.Limit.Silent = f.rateStatus, f.noRetryAfter
	o.OAuth, o.TokenRequests, o.TokenLife = f.oauth, f.tokenRequests, f.tokenLife
	if o.Token, err = f.bearer(flags, getenv); err != nil {
		return usage(err, "")
	}
	o.Weather = fakebackend.Weather{BadGatewayEvery: f.badGateway, CutEvery: f.cut, LoseEvery: f.lose, TearEvery: f.tear, ForgetEvery: f.forget}
	o.EventIDs = f.eventIDs
	return nil
}

func lateness(text string) (time.Duration, error) {
	switch text {
	case "":
		return 0, nil
	case "never":
		return fakebackend.Never, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("--eventual=%s is no time", text)
	}
	return d, nil
}

func anotherUser(text string) (fakebackend.SecondWriter, error) {
	if text == "" {
		return fakebackend.SecondWriter{}, nil
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return fakebackend.SecondWriter{EveryCalls: n}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fakebackend.SecondWriter{}, fmt.Errorf("--second-writer=%s is neither a number of calls nor an interval", text)
	}
	return fakebackend.SecondWriter{Every: d}, nil
}

// limit reads "60/min".
func limit(text string) (fakebackend.Limit, error) {
	if text == "" {
		return fakebackend.Limit{}, nil
	}
	count, unit, ok := strings.Cut(text, "/")
	n, err := strconv.Atoi(count)
	per, known := map[string]time.Duration{"s": time.Second, "sec": time.Second, "m": time.Minute, "min": time.Minute, "h": time.Hour}[unit]
	if !known {
		var bad error
		per, bad = time.ParseDuration(unit)
		known = bad == nil && per > 0
	}
	if !ok || err != nil || n < 1 || !known {
		return fakebackend.Limit{}, fmt.Errorf("--rate %s is no number of calls in a time", text)
	}
	return fakebackend.Limit{Calls: n, Per: per}, nil
}

func (f *longFlags) bearer(flags *pflag.FlagSet, getenv func(string) (string, bool)) (string, error) {
	given, named := flags.Changed("require-token"), flags.Changed("require-token-env")
	switch {
	case given && named:
		return "", errors.New("give one of --require-token and --require-token-env")
	case given && f.token == "":
		return "", errors.New("--require-token is empty")
	case named:
		token, _ := getenv(f.tokenEnv)
		if token == "" {
			return "", fmt.Errorf("--require-token-env: the environment variable %q is not set, or empty", f.tokenEnv)
		}
		return token, nil
	}
	return f.token, nil
}

// maxIDs bounds what --read-state reads.
const maxIDs = 16 << 20

// readState is a probe's command over a state file: a JSON list of ids comes in,
// a list of {id, state} goes out; what the store does not have is left out.
func readState(path string, w world) error {
	text, err := io.ReadAll(io.LimitReader(w.in, maxIDs))
	if err != nil {
		return &exitError{code: exitInternal, cause: fmt.Errorf("reading ids: %w", err)}
	}
	var ids []string
	if err := json.Unmarshal(text, &ids); err != nil {
		return usage(fmt.Errorf("the ids on standard input: %w", err), `a JSON list of texts, for example ["1001","B7"]`)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return usage(fmt.Errorf("reading the state file: %w", err), "`mcpconform fakebackend --state-file FILE` writes it")
	}
	states, err := fakebackend.ReadState(file, ids)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", path, err), "`mcpconform fakebackend --state-file FILE` writes it")
	}
	type told struct {
		ID    string `json:"id"`
		State string `json:"state"`
	}
	list := make([]told, len(states))
	for i, s := range states {
		list[i] = told{s.ID, s.Status}
	}
	return json.NewEncoder(w.out).Encode(list)
}
