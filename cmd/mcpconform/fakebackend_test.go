package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// served starts the fake backend over HTTP as the command line says, and gives
// its address without the path. It ends with the test.
func served(t *testing.T, w world, flags ...string) string {
	t.Helper()
	out, in := io.Pipe()
	var errs safeBuffer
	w.out, w.err = in, &errs
	ctx, cancel := context.WithCancelCause(t.Context())
	w.signals = func(context.Context) (context.Context, func()) { return ctx, func() {} }
	code := make(chan int, 1)
	go func() {
		code <- execute(append([]string{"fakebackend", "--http", "127.0.0.1:0"}, flags...), w)
		_ = in.Close()
	}()
	t.Cleanup(func() {
		cancel(signalled{os.Interrupt})
		if c := <-code; c != 0 {
			t.Errorf("exit %d: %s", c, errs.String())
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return strings.TrimSuffix(strings.TrimSpace(line), "/mcp")
}

// ask sends a request with or without a body and a bearer token.
func ask(t *testing.T, method, url, token, body string) (status int, head http.Header, text string, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, "", err
	}
	defer response.Body.Close()
	bytes, err := io.ReadAll(response.Body)
	return response.StatusCode, response.Header, string(bytes), err
}

// calling is a call of a tool for a server without sessions.
func calling(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

func TestTheStateIsReadByHTTPAndByCommand(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state.json")
	at := served(t, quiet(), "--sessions", "stateless", "--json", "--no-probe", "--no-reset", "--undo", "--state-file", file)
	for _, call := range []string{calling("cancel_products", `{"items":["1001","B7","Bk7x-1","1002"]}`), calling("restore_products", `{"items":["1002"]}`)} {
		if status, _, body, err := ask(t, http.MethodPost, at+"/mcp", "", call); status != http.StatusOK || err != nil {
			t.Fatalf("%d %s, %v", status, body, err)
		}
	}
	for _, tool := range []string{"get_products", "get_subscriptions", "reset"} {
		if _, _, body, _ := ask(t, http.MethodPost, at+"/mcp", "", calling(tool, `{}`)); !strings.Contains(body, "unknown tool") {
			t.Errorf("%s gives %s", tool, body)
		}
	}
	_, _, body, err := ask(t, http.MethodGet, at+"/state?ids=1001,1002,B7,Bk7x-1,B8,9999", "", "")
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Products []struct{ ID, Status string }
		Missing  []string
	}
	if err := json.Unmarshal([]byte(body), &state); err != nil || len(state.Products) != 5 || len(state.Missing) != 1 {
		t.Fatalf("%v in %s", err, body)
	}
	w := quiet()
	w.in = strings.NewReader(`["1001","1002","B7","Bk7x-1","B8","9999"]`)
	got := mcpconformIn(t, w, "fakebackend", "--read-state", file).exits(t, 0)
	const want = `[{"id":"1001","state":"CANCELLED"},{"id":"1002","state":"ACTIVE"},{"id":"B7","state":"CANCELLED"},{"id":"Bk7x-1","state":"CANCELLED"},{"id":"B8","state":"ACTIVE"}]`
	if strings.TrimSpace(got.out) != want {
		t.Errorf("the command says %s", got.out)
	}
	var byCommand []struct{ ID, State string }
	if err := json.Unmarshal([]byte(got.out), &byCommand); err != nil {
		t.Fatal(err)
	}
	for i, one := range byCommand {
		if one.ID != state.Products[i].ID || one.State != state.Products[i].Status {
			t.Errorf("by command %+v, by HTTP %+v", one, state.Products[i])
		}
	}
	if _, _, body, _ := ask(t, http.MethodGet, at+"/effects", "", ""); strings.Count(body, `"product-cancelled"`) != 4 || strings.Count(body, `"product-restored"`) != 1 {
		t.Errorf("the effects are %s", body)
	}
	// An address without the path is meant for MCP, as it was before there was more.
	if status, _, body, err := ask(t, http.MethodPost, at, "", calling("cancel_product", `{"id":"1003"}`)); status != http.StatusOK || err != nil {
		t.Errorf("%d %s, %v", status, body, err)
	}
}

func TestTheFakeBackendBehindATokenALimitAndAnIntermediary(t *testing.T) {
	t.Parallel()
	w := quiet()
	w.getenv = func(name string) (string, bool) { return "s3cret", name == "SHOP_TOKEN" }
	at := served(t, w, "--sessions", "stateless", "--require-token-env", "SHOP_TOKEN", "--rate", "2/h", "--bad-gateway-every", "3", "--cut-every", "4") + "/mcp"
	call := calling("cancel_product", `{"id":"1001"}`)
	if status, head, _, _ := ask(t, http.MethodPost, at, "", call); status != http.StatusUnauthorized || !strings.HasPrefix(head.Get("WWW-Authenticate"), "Bearer") {
		t.Errorf("without the token %d %v", status, head)
	}
	if status, _, body, _ := ask(t, http.MethodPost, at, "s3cret", call); status != http.StatusOK {
		t.Errorf("with the token %d %s", status, body)
	}
	if status, head, _, _ := ask(t, http.MethodPost, at, "s3cret", call); status != http.StatusBadGateway || !strings.HasPrefix(head.Get("Content-Type"), "text/html") {
		t.Errorf("the third call gives %d %v", status, head)
	}
	if status, _, _, err := ask(t, http.MethodPost, at, "s3cret", call); err == nil {
		t.Errorf("the fourth call gives %d", status)
	}
	ask(t, http.MethodPost, at, "s3cret", call)
	ask(t, http.MethodPost, at, "s3cret", call) // the page again
	if status, head, _, _ := ask(t, http.MethodPost, at, "s3cret", call); status != http.StatusTooManyRequests || head.Get("Retry-After") == "" {
		t.Errorf("the third call to come through gives %d %v", status, head)
	}
}

func TestFlagsOfTheFakeBackendAlone(t *testing.T) {
	t.Parallel()
	at := served(t, quiet(), "--sessions", "stateless", "--confirm", "--tasks", "--jobs", "--pages", "--eventual", "--second-writer", "--takes", "0s") + "/mcp"
	_, _, body, err := ask(t, http.MethodPost, at, "", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`)
	if err != nil {
		t.Fatal(err)
	}
	says(t, "tools/list", body, "cancel_products_confirmed", "cancel_products_task", "cancel_products_job", "get_job", "cancel_products_paged")
	silent(t, "tools/list", body, "restore_products")
}

func TestWordsOfTheFakeBackendThatMakeNoSense(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		in   string
		says []string
	}{
		"a limit on pipes":            {[]string{"--stdio", "--rate", "5/s"}, "", []string{"--rate", "--http"}},
		"a token on pipes":            {[]string{"--stdio", "--require-token", "x"}, "", []string{"--require-token"}},
		"weather on pipes":            {[]string{"--stdio", "--cut-every", "5"}, "", []string{"--cut-every"}},
		"a limit of nothing":          {[]string{"--http", ":0", "--rate", "60"}, "", []string{"--rate 60", "60/min"}},
		"a limit of no calls":         {[]string{"--http", ":0", "--rate", "0/s"}, "", []string{"--rate 0/s"}},
		"a limit in no time":          {[]string{"--http", ":0", "--rate", "5/0s"}, "", []string{"--rate 5/0s"}},
		"a jitter without a scale":    {[]string{"--stdio", "--jitter", "uniform"}, "", []string{"--jitter uniform", "uniform:5ms"}},
		"a jitter of no kind":         {[]string{"--stdio", "--jitter", "wild:5ms"}, "", []string{"wild", "exponential"}},
		"a stall of all the time":     {[]string{"--stdio", "--stall", "2s/2s"}, "", []string{"--stall 2s/2s", "500ms/10s"}},
		"a stall of no period":        {[]string{"--stdio", "--stall", "500ms"}, "", []string{"--stall 500ms", "500ms/10s"}},
		"a status without a limit":    {[]string{"--http", ":0", "--rate-status", "503"}, "", []string{"add --rate"}},
		"another status":              {[]string{"--http", ":0", "--rate", "5/s", "--rate-status", "500"}, "", []string{"429 or 503"}},
		"two tokens":                  {[]string{"--http", ":0", "--require-token", "a", "--require-token-env", "B"}, "", []string{"one of"}},
		"an empty token":              {[]string{"--http", ":0", "--require-token", ""}, "", []string{"empty"}},
		"a token that is not there":   {[]string{"--http", ":0", "--require-token-env", "NO_SUCH_NAME"}, "", []string{"NO_SUCH_NAME"}},
		"a server of tokens on pipes": {[]string{"--stdio", "--oauth"}, "", []string{"--oauth", "--http"}},
		"requests of no token":        {[]string{"--http", ":0", "--token-requests", "5"}, "", []string{"nobody is asked for a token"}},
		"a token that lasts no time":  {[]string{"--http", ":0", "--oauth", "--token-life", "500ms"}, "", []string{"whole seconds"}},
		"a life of no token":          {[]string{"--http", ":0", "--token-life", "5s"}, "", []string{"authorization server"}},
		"a time that is none":         {[]string{"--stdio", "--eventual=soon"}, "", []string{"--eventual=soon", "never"}},
		"a time before":               {[]string{"--stdio", "--eventual=-1s"}, "", []string{"--eventual=-1s"}},
		"a second writer who is not":  {[]string{"--stdio", "--second-writer=often"}, "", []string{"--second-writer=often"}},
		"a second writer at no call":  {[]string{"--stdio", "--second-writer=0"}, "", []string{"--second-writer=0"}},
		"three questions":             {[]string{"--stdio", "--confirm=3"}, "", []string{"1 to 2 times"}},
		"no such support":             {[]string{"--stdio", "--tasks=maybe"}, "", []string{"maybe", "required"}},
		"nothing takes long":          {[]string{"--stdio", "--takes", "1s"}, "", []string{"tasks and jobs"}},
		"questions and JSON answers":  {[]string{"--http", ":0", "--confirm", "--json"}, "", []string{"text/event-stream"}},
		"a fault without its flag":    {[]string{"--stdio", "--fault", "RES-02/job-loses-a-row"}, "", []string{"RES-02/job-loses-a-row", "--jobs"}},
		"a file nowhere":              {[]string{"--stdio", "--state-file", filepath.Join(broken, "x")}, "", []string{"state file"}},
		"no file to read":             {[]string{"--read-state", broken + "x"}, "[]", []string{"state file", "--state-file"}},
		"half a file to read":         {[]string{"--read-state", broken}, "[]", []string{broken}},
		"ids that are none":           {[]string{"--read-state", broken}, "1001", []string{"JSON list"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := quiet()
			w.in = strings.NewReader(c.in)
			got := mcpconformIn(t, w, append([]string{"fakebackend"}, c.args...)...).exits(t, 2)
			says(t, "stderr", got.err, c.says...)
		})
	}
}
