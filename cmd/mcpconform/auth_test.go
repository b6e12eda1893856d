package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/credentials"
)

const staticToken = "static-token-of-the-test"

// demo is the environment of a client of the backend's own authorization server.
func demo() world {
	return with("SECRET", fakebackend.DemoSecret, "WRONG", "no-secret-of-anybody", "TOKEN", staticToken, "WRONG_TOKEN", "no-token-of-anybody")
}

// browse is a person's browser at the backend's authorization server, which consents at
// once.
func openIn(t *testing.T) func(string) {
	return func(text string) {
		page, err := http.Get(printed.FindStringSubmatch(text)[1])
		if err != nil {
			t.Error(err)
			return
		}
		_ = page.Body.Close()
		if page.StatusCode != http.StatusOK {
			t.Errorf("the login ends with status %d", page.StatusCode)
		}
	}
}

// withAuth gives the demonstration's target file with a server and its auth.
func withAuth(t *testing.T, url, auth string) string {
	return write(t, "target.yaml", strings.Replace(read(t, "../../fixtures/targets/fakebackend.yaml"), "version: 1\n", "version: 1\nserver:\n  url: "+url+"\n  auth: "+auth+"\n", 1))
}

// The same backend, whoever lets its clients in, has the same findings; with tokens that
// end in the middle of the run, too.
func TestEveryAuthGivesTheSameFindings(t *testing.T) {
	t.Setenv(credentials.FolderVariable, t.TempDir())
	for _, fault := range []string{"", "RES-04/text-rows"} {
		var bare fakebackend.Options
		want := 0
		if fault != "" {
			f, err := fakebackend.ParseFault(fault)
			if err != nil {
				t.Fatal(err)
			}
			bare.Faults, want = []fakebackend.Fault{f}, 1
		}
		t.Run("fault "+fault, func(t *testing.T) {
			play := []string{"run", "--effort", "quick", "--seed", "7", "--format", "json", "-q"}
			on := func(url string) []string {
				return append(slices.Clone(play), "--target", "builtin:fakebackend", "--url", url)
			}
			first := verdictsOf(t, mcpconform(t, on(serving(t, "127.0.0.1:0", bare).URL)...).exits(t, want))
			if len(first) < 100 {
				t.Fatalf("%d findings", len(first))
			}
			fixed, own, ending := bare, bare, bare
			fixed.Token = staticToken
			own.OAuth = true
			ending.OAuth, ending.TokenRequests = true, 25
			file := write(t, "token", staticToken+"\n")
			at := serving(t, "127.0.0.1:0", fixed).URL
			oauth := serving(t, "127.0.0.1:0", own).URL
			expiring := serving(t, "127.0.0.1:0", ending).URL
			loggedIn(t, demo(), openIn(t), "--url", expiring).exits(t, 0)
			ways := map[string][]string{
				"a variable":                           append(on(at), "--token-env", "TOKEN"),
				"a header":                             append(on(at), "--header", "Authorization: Bearer ${TOKEN}"),
				"a file":                               append(on(at), "--token-file", file),
				"a variable of the file":               append(slices.Clone(play), "--target", withAuth(t, at, "{bearer_env: TOKEN}")),
				"client credentials":                   append(on(oauth), "--client-id", fakebackend.DemoClient, "--client-secret-env", "SECRET"),
				"client credentials of the file, post": append(slices.Clone(play), "--target", withAuth(t, oauth, "{client_credentials: {client_id: demo, client_secret_env: SECRET, client_secret_method: post}}")),
				"client credentials that end":          append(on(expiring), "--client-id", fakebackend.DemoClient, "--client-secret-env", "SECRET"),
				"a login, whose tokens end":            on(expiring),
			}
			certificates, ca, ours := certified(t)
			secure := own
			secure.TLS, secure.DemandCertificate = certificates, true
			ways["client credentials over TLS"] = slices.Concat(on(serving(t, "127.0.0.1:0", secure).URL), ca, ours, []string{"--client-id", fakebackend.DemoClient, "--client-secret-env", "SECRET"})
			if runtime.GOOS != "windows" {
				socket := "unix:" + filepath.Join(short(t), "mcp.sock")
				ways["client credentials on a socket"] = append(on(serving(t, socket, own).URL), "--client-id", fakebackend.DemoClient, "--client-secret-env", "SECRET")
				ways["a command"] = append(on(at), "--token-command", "cat "+file)
				ways["a shell"] = append(slices.Clone(play), "--target", withAuth(t, at, "{token_command: {shell: 'cat "+file+" | tail -1'}}"), "--allow-commands")
			}
			for name, args := range ways {
				if fault != "" && !strings.Contains(name, " end") && name != "a variable" {
					continue // one is enough
				}
				folder := t.TempDir()
				args = append(args, "--transcript", filepath.Join(folder, "run.jsonl"))
				got := mcpconformIn(t, demo(), args...).exits(t, want)
				for _, line := range difference(first, verdictsOf(t, got)) {
					t.Errorf("%s: %s", name, line)
				}
				all := got.out + got.err + everything(t, folder)
				silent(t, name, all, staticToken, fakebackend.DemoSecret)
				if renewed := strings.Contains(all, "sent again with new ones"); renewed != strings.Contains(name, " end") {
					t.Errorf("%s: renewed in the run: %t", name, renewed)
				}
			}
		})
	}
}

// Whatever is wrong with credentials at the beginning ends a command with 4, says what it
// is, and shows nothing of them.
func TestWrongCredentials(t *testing.T) {
	t.Setenv(credentials.FolderVariable, t.TempDir())
	at := serving(t, "127.0.0.1:0", fakebackend.Options{Token: staticToken}).URL
	oauth := serving(t, "127.0.0.1:0", fakebackend.Options{OAuth: true}).URL
	wrong := write(t, "token", "no-token-of-anybody\n")
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"none":                  {[]string{"--url", at}, "status 401"},
		"a wrong token":         {[]string{"--url", at, "--token-env", "WRONG_TOKEN"}, "status 401"},
		"a wrong file":          {[]string{"--url", at, "--token-file", wrong}, "the same token was got again"},
		"a wrong secret":        {[]string{"--url", oauth, "--client-id", "demo", "--client-secret-env", "WRONG"}, "invalid_client"},
		"a wrong client":        {[]string{"--url", oauth, "--client-id", "nobody", "--client-secret-env", "WRONG"}, "invalid_client"},
		"nobody gives tokens":   {[]string{"--url", at, "--client-id", "demo", "--client-secret-env", "WRONG"}, "does not say who gives tokens"},
		"another issuer":        {[]string{"--url", oauth, "--client-id", "demo", "--client-secret-env", "WRONG", "--issuer", "http://127.0.0.1:9"}, "and not the issuer"},
		"a command that is not": {[]string{"--url", at, "--token-command", "no-such-program-anywhere"}, "no-such-program-anywhere"},
	} {
		for _, command := range [][]string{{"run", "--target", "builtin:fakebackend"}, {"plan", "--target", "builtin:fakebackend"}, {"load", "--target", "builtin:fakebackend"}, {"init"}} {
			got := mcpconformIn(t, demo(), append(command, c.args...)...)
			got.exits(t, 4)
			says(t, name+": "+command[0], got.out+got.err, c.says)
			silent(t, name+": "+command[0], got.out+got.err, "no-token-of-anybody", "no-secret-of-anybody")
		}
	}
}

// Credentials that end within a run are renewed once, and if that fails are one cause: no
// rule accuses the server of it.
func TestCredentialsThatExpireAreOneCause(t *testing.T) {
	t.Setenv(credentials.FolderVariable, t.TempDir())
	for name, c := range map[string]struct {
		options fakebackend.Options
		args    []string
		says    string
	}{
		"a token":  {fakebackend.Options{Token: staticToken, TokenRequests: 30}, []string{"--token-env", "TOKEN"}, "HTTP"},
		"a file":   {fakebackend.Options{Token: staticToken, TokenRequests: 30}, []string{"--token-file", write(t, "token", staticToken)}, "the same token was got again"},
		"a client": {fakebackend.Options{OAuth: true, TokenRequests: 30}, []string{"--client-id", "demo", "--client-secret-env", "SECRET", "--scope", "once"}, "was refused"},
	} {
		t.Run(name, func(t *testing.T) {
			running := serving(t, "127.0.0.1:0", c.options)
			url := running.URL
			if name == "a client" {
				url = onceOnly(t, running)
			}
			got := mcpconformIn(t, demo(), append([]string{"run", "--target", "builtin:fakebackend", "--url", url, "--effort", "quick", "--seed", "7", "--format", "json", "-q"}, c.args...)...)
			got.exits(t, 3)
			r := report(t, got.out)
			if r.Run.Ended != conform.EndExpired || !strings.HasPrefix(r.Run.Cause, "credentials expired after ") || !strings.Contains(r.Run.Cause+" HTTP", c.says) {
				t.Errorf("ended %q: %s", r.Run.Ended, r.Run.Cause)
			}
			if bad := failing(r); len(bad) > 0 {
				t.Errorf("accused: %v", bad)
			}
			silent(t, "the run", got.out+got.err, staticToken, fakebackend.DemoSecret)
		})
	}
}

// onceOnly is a way to a backend whose authorization server gives one token, and then
// repeats in its answer what it was told.
func onceOnly(t *testing.T, running *fakebackend.Running) string {
	t.Helper()
	mux := running.Backend.Mux()
	given := false
	front := http.NewServeMux()
	front.Handle("/", mux)
	front.HandleFunc("POST /oauth/token", func(w http.ResponseWriter, r *http.Request) {
		if given {
			_, secret, _ := r.BasicAuth()
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_client", "error_description": "not again, " + secret})
			return
		}
		given = true
		mux.ServeHTTP(w, r)
	})
	return passing(t, front) + "/mcp"
}

// Load renews what is refused, and goes on; where there is nothing to renew, it says so.
func TestLoadRenewsCredentials(t *testing.T) {
	t.Setenv(credentials.FolderVariable, t.TempDir())
	load := []string{"load", "--target", "builtin:fakebackend", "--batch", "3", "--operation", "query-orders", "--concurrency", "1", "--rounds", "2", "--duration", "1s"}
	url := serving(t, "127.0.0.1:0", fakebackend.Options{OAuth: true, TokenRequests: 40}).URL
	got := mcpconformIn(t, demo(), append(load, "--url", url, "--client-id", "demo", "--client-secret-env", "SECRET", "--format", "json")...)
	if r := report(t, got.out); r.Run.Ended != conform.EndDone || len(r.Performance) != 1 || r.Performance[0].Calls <= 40 || r.Performance[0].Failed > 0 {
		t.Errorf("ended %q (%s): %+v", r.Run.Ended, r.Run.Cause, r.Performance)
	}
	silent(t, "load", got.out+got.err, fakebackend.DemoSecret)
	url = serving(t, "127.0.0.1:0", fakebackend.Options{Token: staticToken, TokenRequests: 40}).URL
	got = mcpconformIn(t, demo(), append(load, "--url", url, "--token-env", "TOKEN")...)
	got.exits(t, 3)
	says(t, "load", strings.Join(strings.Fields(got.out), " "), "credentials expired after")
}

// A login is used by every command that connects, and what init writes needs nothing
// further.
func TestALoginServesEveryCommand(t *testing.T) {
	t.Setenv(credentials.FolderVariable, t.TempDir())
	at := serving(t, "127.0.0.1:0", fakebackend.Options{OAuth: true}).URL
	got := loggedIn(t, demo(), func(string) {}, "--url", at, "--device").exits(t, 0)
	says(t, "login", got.err, "/oauth/device", "type in the code")
	told := mcpconform(t, "init", "--url", at).exits(t, 0)
	says(t, "init", told.out, "auth: {login: true}")
	mcpconform(t, "plan", "--target", "builtin:fakebackend", "--url", at).exits(t, 0)
	transcript := filepath.Join(t.TempDir(), "run.jsonl")
	mcpconform(t, "run", "--target", "builtin:fakebackend", "--url", at, "--effort", "quick", "--scenario", "partial", "--transcript", transcript).exits(t, 0)
	mcpconform(t, "cleanup", transcript, "--target", "builtin:fakebackend", "--url", at).exits(t, 0)
	told = mcpconform(t, "logout", "--all").exits(t, 0)
	says(t, "logout", told.out, "is forgotten")
	mcpconform(t, "plan", "--target", "builtin:fakebackend", "--url", at).exits(t, 4)
}

func TestWordsThatLoginDoesNotTake(t *testing.T) {
	t.Setenv(credentials.FolderVariable, t.TempDir())
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no server":             {[]string{"login"}, "no server was named"},
		"a command":             {[]string{"login", "--target", "builtin:server-memory"}, "started by a command"},
		"two clients":           {[]string{"login", "--url", "https://a.example/mcp", "--client-id", "a", "--client-id-document", "https://b.example/c"}, "keep one of them"},
		"a secret of nobody":    {[]string{"login", "--url", "https://a.example/mcp", "--client-secret-env", "SECRET"}, "name the client"},
		"no time":               {[]string{"login", "--url", "https://a.example/mcp", "--timeout", "0s"}, "is not above 0"},
		"no port":               {[]string{"login", "--url", "https://a.example/mcp", "--redirect-port", "-1"}, "is no port"},
		"all and one":           {[]string{"logout", "--all", "--url", "https://a.example/mcp"}, "leave one out"},
		"logout of nothing":     {[]string{"logout"}, "no server was named"},
		"two ways":              {[]string{"run", "--url", "https://a.example/mcp", "--token-env", "TOKEN", "--token-command", "cat x"}, "keep one of them"},
		"a client alone":        {[]string{"run", "--url", "https://a.example/mcp", "--client-id", "a"}, "--client-secret-env"},
		"an issuer alone":       {[]string{"run", "--url", "https://a.example/mcp", "--issuer", "https://b.example"}, "without --client-id"},
		"a shell's line":        {[]string{"run", "--url", "https://a.example/mcp", "--token-command", "a | b"}, "no shell reads it"},
		"no file":               {[]string{"run", "--url", "https://a.example/mcp", "--token-file", "not-there"}, "there is no file"},
		"a command's token":     {[]string{"run", "--token-command", "cat x", "--", "node", "server.js"}, "server.env"},
		"without a target":      {[]string{"run", "--token-command", "cat x"}, "given without a target"},
		"an empty secret":       {[]string{"run", "--url", "https://a.example/mcp", "--client-id", "a", "--client-secret-env", "NOT_SET"}, "is not set"},
		"the file's two tokens": {[]string{"run", "--target", withAuth(t, "http://127.0.0.1:9/mcp", "{bearer_env: TOKEN, login: true}")}, "two ways"},
	} {
		got := mcpconformIn(t, demo(), c.args...)
		if got.code != 2 || !strings.Contains(got.err, c.says) {
			t.Errorf("%s: exit %d: %s", name, got.code, got.err)
		}
	}
	got := mcpconform(t, "logout", "--url", "https://a.example/mcp").exits(t, 0)
	says(t, "logout", got.out, "there was no login")
	got = mcpconform(t, "logout", "--all").exits(t, 0)
	says(t, "logout", got.out, "there are no logins")
}

// A command for a token runs from files of the working tree, or of which somebody says
// that he trusts them.
func TestTokenCommandsOfFilesFromElsewhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: needs echo")
	}
	at := serving(t, "127.0.0.1:0", fakebackend.Options{Token: staticToken}).URL
	file := withAuth(t, at, fmt.Sprintf("{token_command: [echo, %s]}", staticToken))
	got := mcpconform(t, "plan", "--target", file).exits(t, 2)
	says(t, "plan", got.err, ": the token command is not run", "--allow-commands")
	mcpconform(t, "run", "--target", file, "--allow-commands", "--effort", "quick", "--scenario", "partial", "--operation", "cancel-products").exits(t, 0)
}

// repeater writes the token of each request into what the backend answers, in rows and in
// a header field.
func repeater(t *testing.T, o fakebackend.Options) string {
	t.Helper()
	o.JSONAnswers, o.Sessions = true, fakebackend.Stateless
	backend, err := fakebackend.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(backend.Close)
	mux := backend.Mux()
	return passing(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/mcp" {
			mux.ServeHTTP(w, r)
			return
		}
		kept := httptest.NewRecorder()
		mux.ServeHTTP(kept, r)
		_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		for name, values := range kept.Header() {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		w.Header().Set("X-Your-Token", token)
		w.WriteHeader(kept.Code)
		_, _ = w.Write(bytes.ReplaceAll(kept.Body.Bytes(), []byte(`"message":"`), []byte(`"message":"for `+token+`: `)))
	})) + "/mcp"
}

// A token that came to be known only within the run is as secret as any.
func TestTokensThatAServerRepeatsAreNotSeen(t *testing.T) {
	t.Setenv(credentials.FolderVariable, t.TempDir())
	at := repeater(t, fakebackend.Options{OAuth: true, TokenRequests: 15})
	folder := t.TempDir()
	args := append([]string{"run", "--target", "builtin:fakebackend", "--url", at, "--effort", "quick", "--client-id", "demo", "--client-secret-env", "SECRET"}, everyForm(folder)...)
	got := mcpconformIn(t, demo(), args...)
	all := got.out + got.err + everything(t, folder)
	says(t, "the run", all, "for [redacted access token]: ", "X-Your-Token")
	// The backend's tokens are 26 letters and digits, as nothing else is that it says.
	if token := regexp.MustCompile(`\b[A-Z2-7]{26}\b`).FindString(all); token != "" {
		t.Errorf("the run says %q", token)
	}
}
