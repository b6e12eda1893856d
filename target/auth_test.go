package target

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/credentials"
)

const operationsOfOne = "operations:\n  a: {tool: a, effect: read, input: {argument: ids}, validator: none, workflow: none, idempotency: none, items: {good: [x]}}\n"

func TestAuthIsRead(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"secret.txt": "  secret-of-a-file\n", "token.txt": "token-of-a-file", "print.sh": ""} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	for name, c := range map[string]struct {
		auth    string
		want    credentials.Config
		secrets []string
	}{
		"a token of the environment": {"{bearer_env: ACME_TOKEN}", credentials.Config{Bearer: "token-12345678", BearerName: "ACME_TOKEN"}, []string{"token-12345678"}},
		"a file":                     {"{bearer_file: token.txt}", credentials.Config{File: in("token.txt")}, nil},
		"a command":                  {"{token_command: [gcloud, auth, print-access-token]}", credentials.Config{Command: &credentials.Command{Words: []string{"gcloud", "auth", "print-access-token"}, Timeout: 30 * time.Second}}, nil},
		"a command beside the file":  {"{token_command: [./print.sh]}", credentials.Config{Command: &credentials.Command{Words: []string{in("print.sh")}, Timeout: 30 * time.Second}}, nil},
		"a shell":                    {`{token_command: {shell: "a | b", timeout: 5s}}`, credentials.Config{Command: &credentials.Command{Shell: "a | b", Timeout: 5 * time.Second}}, nil},
		"a client": {"{client_credentials: {client_id: c, client_secret_env: ACME_TOKEN, client_secret_method: post, scopes: [a, b], issuer: https://login.example, resource: https://a.example}}",
			credentials.Config{Client: &credentials.Client{Party: credentials.Party{ID: "c", Secret: "token-12345678", SecretName: "ACME_TOKEN", Method: "post", Scopes: []string{"a", "b"}, Issuer: "https://login.example", Resource: "https://a.example"}}}, []string{"token-12345678"}},
		"a client whose secret is in a file": {"{client_credentials: {client_id: c, client_secret_file: secret.txt, token_url: \"http://127.0.0.1:8081/token\"}}",
			credentials.Config{Client: &credentials.Client{Party: credentials.Party{ID: "c", Secret: "secret-of-a-file", SecretName: "client secret"}, TokenURL: "http://127.0.0.1:8081/token"}}, []string{"secret-of-a-file"}},
		"a login": {"{login: true}", credentials.Config{Login: &credentials.Login{}}, nil},
		"a login of a client": {"{login: {client_id_document: https://acme.example/client.json, redirect_port: 8765}}",
			credentials.Config{Login: &credentials.Login{DocumentURL: "https://acme.example/client.json", Port: 8765}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			file := in("target.yaml")
			text := "version: 1\nserver:\n  url: https://accounts.example/mcp\n  auth: " + c.auth + "\n" + operationsOfOne
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Load(file, environment("ACME_TOKEN", "token-12345678\n"))
			if err != nil {
				t.Fatal(err)
			}
			got := f.Server.Auth
			if got.Command != nil {
				if got.Command.Line != 4 {
					t.Errorf("the command stands in line %d", got.Command.Line)
				}
				got.Command.Line, got.Command.Column = 0, 0
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, wanted %+v", got, c.want)
			}
			var secrets []string
			for _, s := range f.Secrets() {
				secrets = append(secrets, strings.TrimSpace(s.Value))
			}
			if !slices.Equal(secrets, c.secrets) {
				t.Errorf("secrets %q, wanted %q", secrets, c.secrets)
			}
		})
	}
}

// What is said of another server's credentials does not follow to the one that takes its
// place.
func TestAuthStaysWithItsServer(t *testing.T) {
	f := &File{Server: Server{URL: "https://a.example/mcp", Auth: credentials.Config{Bearer: "x"}}}
	other, err := ServerAt("https://b.example/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.WithServer(other); !got.Server.Auth.IsZero() {
		t.Errorf("%+v", got.Server.Auth)
	}
}
