package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// secret has characters that every encoding writes in its own way.
const secret = `s3cr3t/"Zürich"&t+k=4711`

// spellings are the ways in which a server may write what it was given.
func spellings(text string) map[string]string {
	quoted, _ := json.Marshal(text) // a string always encodes
	inside := string(quoted[1 : len(quoted)-1])
	twice, _ := json.Marshal(inside)
	numbers := ""
	for _, unit := range text {
		numbers += fmt.Sprintf(`\u%04x`, unit)
	}
	return map[string]string{
		"plain": text, "JSON": inside, "JSON in JSON": string(twice[1 : len(twice)-1]), "JSON by numbers": numbers,
		"a query": url.QueryEscape(text), "a path": url.PathEscape(text), "HTML": html.EscapeString(text),
		"base64": base64.StdEncoding.EncodeToString([]byte(text)), "base64 for URLs": base64.RawURLEncoding.EncodeToString([]byte(text)),
		"base64, within a text": base64.StdEncoding.EncodeToString([]byte("user:" + text + "!")),
		"hex":                   hex.EncodeToString([]byte(text)), "hex in capitals": strings.ToUpper(hex.EncodeToString([]byte(text))),
	}
}

// leaky is the good backend behind a front that writes the secret, in every
// spelling, into rows, texts, header fields and an error page.
type leaky struct {
	*httptest.Server
	once  sync.Once
	asked chan struct{} // closed when the first tool is called
	wait  chan struct{} // the first call is answered when it is closed
}

func newLeaky(t *testing.T) *leaky {
	t.Helper()
	backend, err := fakebackend.New(fakebackend.Options{JSONAnswers: true, Sessions: fakebackend.Stateless})
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for name, spelled := range spellings(secret) {
		all += name + ": " + spelled + "\n"
	}
	word, _ := json.Marshal(all) // a string always encodes
	handler := backend.Handler()
	l := &leaky{asked: make(chan struct{}), wait: make(chan struct{})}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		tool := bytes.Contains(body, []byte(`"tools/call"`))
		if tool {
			l.once.Do(func() { close(l.asked) })
			<-l.wait
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		said := answer.Body.Bytes()
		if tool {
			said = bytes.ReplaceAll(said, []byte(`"success":true`), fmt.Appendf(nil, `"success":"yes","error":%s`, word))
		}
		for name, values := range answer.Header() {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		w.Header().Set("X-Debug", url.QueryEscape(all))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(said)
	}))
	t.Cleanup(l.Close)
	return l
}

// process is a run of the program as a process of its own.
type process struct {
	*exec.Cmd
	out, err bytes.Buffer
	folder   string
}

func begin(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{folder: t.TempDir()}
	p.Cmd = exec.CommandContext(t.Context(), os.Args[0], append([]string{"run", "-v", "--format", "json", "--scenario", "partial/bad-first", "--operation", "query-orders",
		"--output", "junit=" + filepath.Join(p.folder, "r.xml"), "--output", "text=" + filepath.Join(p.folder, "r.txt"), "--transcript", filepath.Join(p.folder, "t.jsonl")}, args...)...)
	p.Env = append(append(os.Environ(), asCommand+"=1", "GOTRACEBACK=all"), env...)
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// commandLines are those of a process and of all below it, as `ps` shows them.
func (p *process) commandLines(t *testing.T) string {
	t.Helper()
	ours := map[string]bool{fmt.Sprint(p.Process.Pid): true}
	all := ""
	for range 4 { // generations
		entries, err := filepath.Glob("/proc/[0-9]*/stat")
		if err != nil || len(entries) == 0 {
			t.Skip("there is no /proc here")
		}
		all = ""
		for _, entry := range entries {
			stat, err := os.ReadFile(entry)
			_, after, found := strings.Cut(string(stat), ") ")
			fields := strings.Fields(after)
			if err != nil || !found || len(fields) < 2 {
				continue // it ended meanwhile
			}
			pid := filepath.Base(filepath.Dir(entry))
			if ours[pid] || ours[fields[1]] {
				ours[pid] = true
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(entry), "cmdline")) // empty: it ended meanwhile
				all += strings.ReplaceAll(string(line), "\x00", " ") + "\n"
			}
		}
	}
	return all
}

// written is everything that the process wrote.
func (p *process) written(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{"stdout": p.out.String(), "stderr": p.err.String()}
	for _, name := range []string{"r.xml", "r.txt", "t.jsonl"} {
		if text, err := os.ReadFile(filepath.Join(p.folder, name)); err == nil {
			all[name] = string(text)
		}
	}
	return all
}

// keepsSecret looks for the secret in every spelling, and for its parts.
func keepsSecret(t *testing.T, where, text string) {
	t.Helper()
	for name, spelled := range spellings(secret) {
		inner, _ := json.Marshal(spelled) // a string always encodes
		for _, written := range []string{spelled, string(inner[1 : len(inner)-1])} {
			if strings.Contains(text, written) {
				t.Errorf("%s holds the secret as %s", where, name)
			}
		}
	}
	for _, part := range []string{"s3cr3t", "t+k=4711", hex.EncodeToString([]byte("s3cr3t")), base64.RawStdEncoding.EncodeToString([]byte("s3cr3t"))} {
		if strings.Contains(strings.ToLower(text), strings.ToLower(part)) {
			t.Errorf("%s holds %q, a part of the secret", where, part)
		}
	}
}

// A secret is nowhere, wherever it came from and however the server writes it
// back: not in a transcript, a report, a log, a process list or a crash trace.
func TestASecretIsNowhere(t *testing.T) {
	t.Parallel()
	builtin := func(t *testing.T) string {
		t.Helper()
		return read(t, "../../fixtures/targets/fakebackend.yaml")
	}
	file := func(t *testing.T, url, at string, headers string) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "acme.yaml")
		text := strings.Replace(builtin(t), "version: 1", "version: 1\n"+fmt.Sprintf(at, url), 1)
		text = strings.ReplaceAll(text, `id: order_id`, `id: order_id`+headers)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	quoted, _ := json.Marshal(secret) // YAML reads it as well
	for name, c := range map[string]struct {
		env     []string
		args    func(t *testing.T, url string) []string
		literal bool // it stands in a flag: in the process list, and nowhere else
	}{
		"headers of the file, from the environment": {[]string{"ACME=" + secret}, func(t *testing.T, url string) []string {
			return []string{"--target", file(t, url, `server: {url: "%s", headers: {X-Shop: "${ACME}"}}`, "")}
		}, false},
		"headers of the file, in plain": {nil, func(t *testing.T, url string) []string {
			return []string{"--target", file(t, url, `server: {url: "%s", headers: {X-Shop: `+strings.ReplaceAll(string(quoted), "%", "%%")+`}}`, "")}
		}, false},
		"secrets": {[]string{"ACME=" + secret}, func(t *testing.T, url string) []string {
			return []string{"--target", file(t, url, "server: {url: \"%s\"}\nsecrets: [ACME]", "")}
		}, false},
		"--header with a variable": {[]string{"ACME=" + secret}, func(t *testing.T, url string) []string {
			return append(onBackend(url), "--header", "X-Shop: ${ACME}")
		}, false},
		"--header=, a bearer": {[]string{"ACME=" + secret}, func(t *testing.T, url string) []string {
			return append(onBackend(url), "--header=Authorization: Bearer ${ACME}")
		}, false},
		"--token-env": {[]string{"ACME=" + secret}, func(t *testing.T, url string) []string {
			return append(onBackend(url), "--token-env", "ACME")
		}, false},
		"--header in plain": {nil, func(t *testing.T, url string) []string {
			return append(onBackend(url), "--header", "X-Api-Token: "+secret)
		}, true},
		"user and password of a URL": {[]string{"ACME=" + url.QueryEscape(secret)}, func(t *testing.T, url string) []string {
			return []string{"--target", file(t, strings.Replace(url, "http://", "http://me:${ACME}@", 1), `server: {url: "%s"}`, "")}
		}, false},
		"a URL in plain": {nil, func(t *testing.T, at string) []string {
			return onBackend(strings.Replace(at, "http://", "http://me:"+url.QueryEscape(secret)+"@", 1))
		}, true},
		"the query of the file's URL": {[]string{"ACME=" + url.QueryEscape(secret)}, func(t *testing.T, at string) []string {
			return []string{"--target", file(t, at+"?v=2&api_key=${ACME}", `server: {url: "%s"}`, "")}
		}, false},
		"the query of a URL in plain": {nil, func(t *testing.T, at string) []string {
			return onBackend(at + "?access_token=" + url.QueryEscape(secret))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, crash := range []bool{false, true} {
				server := newLeaky(t)
				p := begin(t, c.env, c.args(t, server.URL)...)
				select {
				case <-server.asked:
				case <-t.Context().Done():
					t.Fatal("no tool was called")
				}
				listed := p.commandLines(t)
				if !strings.Contains(listed, "partial/bad-first") {
					t.Errorf("the process list is %q", listed)
				}
				if !c.literal {
					keepsSecret(t, "the process list", listed)
				}
				if crash {
					if err := p.Process.Signal(syscall.SIGQUIT); err != nil {
						t.Fatal(err)
					}
				} else {
					close(server.wait)
				}
				err := p.Wait()
				if crash {
					close(server.wait)
				}
				var exit *exec.ExitError
				if err != nil && !errors.As(err, &exit) {
					t.Fatal(err)
				}
				written := p.written(t)
				for where, text := range written {
					keepsSecret(t, where, text)
				}
				switch {
				case crash:
					says(t, "the crash trace", written["stderr"], "goroutine ", "SIGQUIT")
				case len(written) != 5:
					t.Errorf("%d things were written: %s", len(written), shortened(p.err.String()))
				default:
					says(t, "the transcript", written["t.jsonl"], "[redacted ", "base64 for URLs")
					says(t, "the report", written["stdout"], "[redacted ")
				}
				if c.literal {
					says(t, "stderr", written["stderr"], "warning", "process list")
				}
			}
		})
	}
}

// The same for a server that is started, and gets its secret in the environment.
func TestASecretOfAChildIsNowhere(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	script := "ps -ef > " + folder + "/ps.txt 2>/dev/null || for f in /proc/[0-9]*/cmdline; do tr '\\\\0' ' ' < $f; done > " + folder + "/ps.txt\n"
	for _, spelled := range spellings(secret) {
		script += "cat >&2 <<'LEAK'\n" + spelled + "\nLEAK\n"
	}
	script += "printf '%s %s\\n' \"$KEY\" \"$OTHER\" >&2\nexec \"$0\" fakebackend --stdio\n"
	if err := os.WriteFile(filepath.Join(folder, "serve.sh"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(read(t, "../../fixtures/targets/fakebackend.yaml"), "version: 1",
		fmt.Sprintf("version: 1\nserver: {command: [sh, -c, '. %s/serve.sh', %s], env: {KEY: \"${ACME}\"}}\nsecrets: [OTHER]", folder, os.Args[0]), 1)
	path := filepath.Join(folder, "acme.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := begin(t, []string{"ACME=" + secret, "OTHER=another-secret-0815"}, "--target", path)
	if err := p.Wait(); err != nil {
		t.Logf("%v: %s", err, shortened(p.err.String()))
	}
	written := p.written(t)
	listed := read(t, filepath.Join(folder, "ps.txt"))
	says(t, "the process list", listed, "partial/bad-first")
	written["the process list"] = listed
	for where, text := range written {
		keepsSecret(t, where, text)
		silent(t, where, text, "another-secret-0815")
	}
	says(t, "the transcript", written["t.jsonl"], "[redacted ACME]", "[redacted OTHER]")
}

// What comes from the environment and is used as no secret is no secret: a short
// id is not starred out, and items are known by it.
func TestAShortIdFromTheEnvironmentIsPlain(t *testing.T) {
	t.Parallel()
	server := backend(t, noOptions)
	folder := t.TempDir()
	text := strings.ReplaceAll(read(t, "../../fixtures/targets/fakebackend.yaml"), `id: "1001"`, `id: "${CUSTOMER}"`)
	path := filepath.Join(folder, "acme.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w := quiet()
	w.getenv = variables(map[string]string{"CUSTOMER": "1001", "KEY": "1001"})
	got := mcpconformIn(t, w, "run", "--format", "json", "--transcript", folder+"/t.jsonl", "--target", path, "--url", server.URL, "--header", "X-Key: ${KEY}",
		"--seed", "4711", "--scenario", "all-succeed", "--scenario", "partial", "--operation", "cancel-products", "--checks", "RES-*", "--checks", "EFF-*").exits(t, 0)
	recorded := read(t, folder+"/t.jsonl")
	says(t, "the transcript", recorded, `"id":"1001"`, `{"name":"X-Key","value":"[redacted X-Key]"}`)
	silent(t, "the transcript", recorded, `"id":"[redacted`, `\"id\":\"[redacted`)
	if r := report(t, got.out); r.Summary.Pass == 0 || r.Summary.Fail > 0 {
		t.Errorf("%+v", r.Summary)
	}
}
