package target

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func values(secrets []Secret) []string {
	var all []string
	for _, s := range secrets {
		all = append(all, s.Name+"="+s.Value)
	}
	return all
}

func TestSecretIsWhatIsUsedAsOne(t *testing.T) {
	got := values(whole(t).Secrets())
	for _, want := range []string{
		"OTHER_SECRET=another-secret",         // named under secrets
		"ACME_TOKEN=token-12345678",           // a variable in a header
		"Authorization=Bearer token-12345678", // the header itself
		"x-tenant=literal-tenant",             // a header without a variable
		"URL password=p@ss:word", "URL user=user", "URL user=user:p@ss:word",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not kept secret", want)
		}
	}
	for _, s := range got {
		if strings.HasSuffix(s, "=web") || strings.HasPrefix(s, "CHANNEL") {
			t.Errorf("%s is an argument, and no secret", s)
		}
	}
}

func TestSecretsOfACommand(t *testing.T) {
	f, err := Parse("acme.yaml", []byte(`
version: 1
server:
  command: [acme, "--name=${PLAIN}"]
  env: {TOKEN: "key ${TOKEN}", MODE: literal, DATA: "${RUN_DIR}/data", EMPTY: ""}
`), environment("PLAIN", "plain-value", "TOKEN", "12345"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := values(f.Secrets()), []string{"TOKEN=12345", "TOKEN=key 12345", "MODE=literal"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSecretsInHeadersOfTheCommandLine(t *testing.T) {
	f, err := FromURL("http://localhost/mcp", []conform.HeaderField{{Name: "authorization", Value: "Basic dXNlcjpvcGVuIHNlc2FtZQ=="}})
	if err != nil {
		t.Fatal(err)
	}
	got := values(f.Secrets())
	for _, want := range []string{"authorization=dXNlcjpvcGVuIHNlc2FtZQ==", "authorization=user:open sesame", "authorization=open sesame"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not kept secret: %q", want, got)
		}
	}
}

func TestSecretsInAQuery(t *testing.T) {
	f, err := Parse("acme.yaml", []byte(`
version: 1
server: {url: "https://acme.example/mcp?page=2&api_key=k%3D1&X-Amz-Signature=abc&monkey=&code=xyz"}
operations: {a: {tool: a, effect: read, input: {argument: b}, probe: {http: {url: "/state?ids={ids}&token=${T}"}, path: "$", id: id, state: s}}}
`), environment("T", "tok-1"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := values(f.Secrets()), []string{"URL api_key=k=1", "URL X-Amz-Signature=abc", "URL code=xyz", "URL token=tok-1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEnvironmentInValuesOnly(t *testing.T) {
	f, err := Parse("acme.yaml", []byte("version: 1\nname: a ${NAME} b ${NAME}\nsafety: {max_write_items: \"${COUNT}\"}\ntimeouts: {call: \"${WAIT}\"}\n"),
		environment("NAME", "x: [y", "COUNT", "12", "WAIT", "3s"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "a x: [y b x: [y" || f.Safety.MaxWriteItems != 12 || f.Timeouts.Call.Seconds() != 3 {
		t.Errorf("%q %d %s", f.Name, f.Safety.MaxWriteItems, f.Timeouts.Call)
	}
}

// A process list cannot be redacted: a secret must not be in a command line.
func TestASecretInACommandLineIsRefused(t *testing.T) {
	for name, src := range map[string]string{
		"of the server":  "version: 1\nserver:\n  command: [acme, --token, \"${ACME_TOKEN}\"]\nsecrets: [ACME_TOKEN]\n",
		"of its start":   "version: 1\nsecrets: [ACME_TOKEN]\nserver:\n  url: http://127.0.0.1:1/mcp\n  start: {command: [acme, \"--token=${ACME_TOKEN}\"]}\n",
		"of a probe":     "version: 1\nsecrets: [ACME_TOKEN]\nserver: {url: \"http://127.0.0.1:1/mcp\"}\noperations: {a: {tool: a, effect: read, input: {argument: b}, probe: {command: [eyes, \"${ACME_TOKEN}\"]}}}\n",
		"not of a probe": "version: 1\nsecrets: [OTHER]\nserver: {url: \"http://127.0.0.1:1/mcp\"}\noperations: {a: {tool: a, effect: read, input: {argument: b}, probe: {command: [eyes, \"${ACME_TOKEN}\"]}}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("acme.yaml", []byte(src), environment("ACME_TOKEN", "geheim-12345678", "OTHER", "anders-12345678"))
			if name == "not of a probe" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), "process list") || !strings.Contains(err.Error(), "ACME_TOKEN") || strings.Contains(err.Error(), "geheim") {
				t.Errorf("%v", err)
			}
		})
	}
}
