package fakebackend

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// listen serves a backend that goes by a clock moved by hand.
func listen(t *testing.T, o Options) (url string, b *Backend, clock *handClock) {
	t.Helper()
	clock = newHandClock()
	o.Sessions = Stateless
	b, err := newBackend(o, clock)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(b.Mux())
	t.Cleanup(func() {
		server.Close()
		b.Close()
	})
	return server.URL + "/mcp", b, clock
}

const answered = `"PARTIAL_SUCCESS"`

func TestCallsBeyondTheLimitAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		limit  Limit
		status int
		after  string
	}{
		"429":             {Limit{Calls: 2}, 429, "60"},
		"429, silent":     {Limit{Calls: 2, Silent: true}, 429, ""},
		"503":             {Limit{Calls: 2, Status: 503}, 503, "60"},
		"a second":        {Limit{Calls: 2, Per: time.Second}, 429, "1"},
		"part of seconds": {Limit{Calls: 2, Per: 1500 * time.Millisecond}, 429, "2"},
	} {
		t.Run(name, func(t *testing.T) {
			url, b, clock := listen(t, Options{Limit: c.limit})
			for range 2 {
				// The handshake and notifications are not counted, before or after.
				for _, message := range []string{initialize, initiated, `{"jsonrpc":"2.0","id":9,"method":"ping"}`} {
					if status, _, body := post(t, url, message); status >= 400 {
						t.Fatalf("%s gives %d %s", message, status, body)
					}
				}
				if status, _, body := post(t, url, strings.Replace(callTool, "Product A", "Product B", 1)); status != 200 || !strings.Contains(body, "results") {
					t.Fatalf("a call within the limit gives %d %s", status, body)
				}
			}
			done := len(b.Effects())
			status, head, _ := post(t, url, callTool)
			if status != c.status || head.Get("Retry-After") != c.after {
				t.Errorf("the third call gives %d, Retry-After %q", status, head.Get("Retry-After"))
			}
			if status, _, _ := post(t, url, initialize); status != 200 {
				t.Errorf("the handshake gives %d", status)
			}
			if len(b.Effects()) != done {
				t.Error("a refused call was done")
			}
			if status, _, _ := get(t, strings.Replace(url, "/mcp", "/state", 1)); status != 200 {
				t.Errorf("the state gives %d", status)
			}
			per := c.limit.Per
			if per == 0 {
				per = time.Minute
			}
			clock.advance(per - time.Millisecond)
			if status, _, _ := post(t, url, callTool); status != c.status {
				t.Errorf("a moment before the next window a call gives %d", status)
			}
			clock.advance(time.Millisecond)
			if status, _, body := post(t, url, callTool); status != 200 || !strings.Contains(body, answered) {
				t.Errorf("in the next window a call gives %d %s", status, body)
			}
		})
	}
}

func TestTheTokenIsAskedFor(t *testing.T) {
	url, b, _ := listen(t, Options{Token: "s3cret"})
	state := strings.Replace(url, "/mcp", "/state", 1)
	for given, want := range map[string]string{
		"":              `Bearer realm="fakebackend"`,
		"Bearer wrong":  `Bearer realm="fakebackend", error="invalid_token", error_description="this token is not known"`,
		"Basic s3cret":  `Bearer realm="fakebackend", error="invalid_token", error_description="this token is not known"`,
		"Bearer":        `Bearer realm="fakebackend", error="invalid_token", error_description="this token is not known"`,
		"Bearer s3cret": "",
		"bearer s3cret": "",
	} {
		for _, reply := range []func() (int, http.Header, string){
			func() (int, http.Header, string) { return post(t, url, callTool, "Authorization", given) },
			func() (int, http.Header, string) { return get(t, state, "Authorization", given) },
		} {
			status, head, body := reply()
			if got := head.Get("WWW-Authenticate"); got != want || (status == http.StatusUnauthorized) != (want != "") {
				t.Errorf("%q gives %d, WWW-Authenticate %q", given, status, got)
			}
			if strings.Contains(body, "s3cret") {
				t.Errorf("%q gives %s", given, body)
			}
		}
	}
	if n := len(b.Effects()); n != 1 {
		t.Errorf("%d effects", n)
	}
}

func TestAnIntermediaryBetween(t *testing.T) {
	send := func(t *testing.T, url string) (status int, head http.Header, text string, err error) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(callTool))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0, nil, "", err
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		return response.StatusCode, response.Header, string(body), err
	}
	for name, c := range map[string]struct {
		weather Weather
		done    int // by the third call
		cut     bool
	}{
		"a page instead":   {Weather{BadGatewayEvery: 3}, 0, false},
		"a cut instead":    {Weather{CutEvery: 3}, 0, true},
		"the answer lost":  {Weather{LoseEvery: 3}, 1, true},
		"the page first":   {Weather{BadGatewayEvery: 3, CutEvery: 1000, LoseEvery: 1000}, 0, false},
		"both at one call": {Weather{BadGatewayEvery: 3, CutEvery: 3}, 0, false},
	} {
		for _, json := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				url, b, _ := listen(t, Options{Weather: c.weather, JSONAnswers: json})
				for round := range 2 {
					for range 2 {
						post(t, url, initialize) // is not counted
						if status, _, body, err := send(t, url); err != nil || status != 200 || !strings.Contains(body, "results") {
							t.Fatalf("a call gives %d %s, %v", status, body, err)
						}
					}
					b.reset(&call{})
					before := len(b.Effects())
					status, head, body, err := send(t, url)
					switch {
					case c.cut && err == nil:
						t.Errorf("round %d: it is answered with %d %s", round, status, body)
					case !c.cut && (err != nil || status != http.StatusBadGateway || !strings.HasPrefix(head.Get("Content-Type"), "text/html") || !strings.Contains(body, "<html>")):
						t.Errorf("round %d: it is answered with %d %s, %v", round, status, body, err)
					}
					if done := len(b.Effects()) - before; done != c.done {
						t.Errorf("round %d: %d effects", round, done)
					}
				}
			})
		}
	}
}

func TestTheQuestionOfALostCallIsStillAsked(t *testing.T) {
	clock := newHandClock()
	b, err := newBackend(Options{ConfirmRounds: 1, Weather: Weather{LoseEvery: 1}}, clock)
	if err != nil {
		t.Fatal(err)
	}
	asked := httptest.NewRecorder()
	u := unanswered{asked}
	question := "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":{}}\n\n"
	for _, text := range []string{question, question + "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n", "{}", "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n"} {
		if n, err := u.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("wrote %d, %v", n, err)
		}
	}
	u.Flush()
	if asked.Body.String() != question {
		t.Errorf("passed on %s", asked.Body)
	}
	b.Close()
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	fault := func(id string) []Fault {
		f, err := ParseFault(id)
		if err != nil {
			t.Fatal(err)
		}
		return []Fault{f}
	}
	for name, c := range map[string]struct {
		options Options
		says    string
	}{
		"too many questions":          {Options{ConfirmRounds: 3}, "1 to 2 times"},
		"fewer than no questions":     {Options{ConfirmRounds: -1}, "1 to 2 times"},
		"questions before there were": {Options{ConfirmRounds: 1, Revisions: []string{"2025-03-26"}}, "no revision before"},
		"questions in one answer":     {Options{ConfirmRounds: 1, JSONAnswers: true}, "text/event-stream"},
		"questions without a session": {Options{ConfirmRounds: 1, Sessions: Stateless, Revisions: []string{"2025-11-25"}}, "session"},
		"tasks before there were":     {Options{Tasks: TaskRequired, Revisions: []string{"2025-06-18"}}, "no revision before"},
		"tasks of another kind":       {Options{Tasks: "forbidden"}, "forbidden"},
		"nothing takes long":          {Options{Takes: time.Second}, "tasks and jobs"},
		"less than no time":           {Options{Jobs: true, Takes: -1}, "not negative"},
		"less than an empty page":     {Options{PageRows: -1}, "not negative"},
		"seen before it is done":      {Options{VisibleAfter: -time.Second}, "not negative"},
		"a writer of the past":        {Options{SecondWriter: SecondWriter{EveryCalls: -1}}, "not negative"},
		"a limit without a number":    {Options{Limit: Limit{Silent: true}}, "how many"},
		"a limit below none":          {Options{Limit: Limit{Calls: -1}}, "not negative"},
		"a limit with another status": {Options{Limit: Limit{Calls: 1, Status: 500}}, "429 or 503"},
		"weather below none":          {Options{Weather: Weather{CutEvery: -1}}, "not negative"},
		"a fault of another option":   {Options{Faults: fault("RES-02/job-loses-a-row"), ConfirmRounds: 1}, `"jobs"`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := New(c.options); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v", err)
			}
		})
	}
	for name, o := range map[string]Options{
		"questions in one answer, by rounds only": {ConfirmRounds: 1, JSONAnswers: true, Revisions: []string{sessionless}},
		"questions without a session, by rounds":  {ConfirmRounds: 1, Sessions: Stateless},
		"a fault with its option":                 Options{Faults: fault("RES-02/page-loses-a-row")}.With(Paging),
	} {
		if _, err := New(o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOptionsWithFeatures(t *testing.T) {
	all := Options{}.With(Confirming, Tasking, Jobbing, Paging, DryRunning)
	if all.ConfirmRounds != 1 || all.Tasks != TaskRequired || !all.Jobs || !all.DryRuns || all.PageRows != DefaultPage {
		t.Errorf("all on: %+v", all)
	}
	own := Options{ConfirmRounds: 2, Tasks: TaskOptional, PageRows: 3}.With(Confirming, Tasking, Paging)
	if own.ConfirmRounds != 2 || own.Tasks != TaskOptional || own.Jobs || own.PageRows != 3 {
		t.Errorf("what was on has changed: %+v", own)
	}
	for _, f := range Faults() {
		if _, err := New(Options{Faults: []Fault{f}}.With(f.Needs...)); err != nil {
			t.Errorf("%s: %v", f.ID, err)
		}
		if _, err := New(Options{Faults: []Fault{f}}); (err == nil) != (len(f.Needs) == 0) {
			t.Errorf("%s without what it needs: %v", f.ID, err)
		}
	}
}

func TestABodyThatIsTooLargeIsLeftToTheHandler(t *testing.T) {
	request := httptest.NewRequest(http.MethodPost, "/mcp", io.MultiReader(strings.NewReader("{"), io.LimitReader(spaces{}, MaxRequest+10)))
	if _, err := body(request); !errors.Is(err, errTooLarge) {
		t.Fatalf("error %v", err)
	}
	if n, err := io.Copy(io.Discard, request.Body); n != MaxRequest+11 || err != nil {
		t.Errorf("%d bytes are left, %v", n, err)
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
