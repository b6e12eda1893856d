package target

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Secret is a value that must not be seen in anything the run writes, and the
// name that is written instead.
type Secret struct {
	Name  string
	Value string
}

// Secrets gives everything that is used as a secret: header values, values in
// server.env, user and password of URLs, parameters of their queries that are secret
// by their names, and the variables under `secrets`.
// Each value is given once; empty ones never. How short a value may be to be
// looked for is the redactor's decision.
func (f *File) Secrets() []Secret {
	var all []Secret
	add := func(name, value string) {
		if value != "" && !strings.Contains(value, runDirMark) &&
			!slices.ContainsFunc(all, func(s Secret) bool { return s.Value == value }) {
			all = append(all, Secret{name, value})
		}
	}
	// Variables first: their names tell a reader more than a header's.
	for _, s := range f.secrets {
		add(s.Name, s.Value)
	}
	for _, s := range f.Server.used {
		add(s.Name, s.Value)
	}
	headers := f.Server.Headers
	for _, m := range f.means() {
		if m.HTTP != nil {
			for _, s := range m.HTTP.used {
				add(s.Name, s.Value)
			}
			headers = append(headers[:len(headers):len(headers)], m.HTTP.Headers...)
		}
	}
	for _, h := range headers {
		add(h.Name, h.Value)
		// "Bearer TOKEN": the token alone is the secret.
		if scheme, credential, ok := strings.Cut(h.Value, " "); ok && isCredential(h.Name) {
			add(h.Name, credential)
			if decoded, err := base64.StdEncoding.DecodeString(credential); err == nil && strings.EqualFold(scheme, "Basic") {
				add(h.Name, string(decoded))
				if _, password, ok := strings.Cut(string(decoded), ":"); ok {
					add(h.Name, password)
				}
			}
		}
	}
	for _, e := range f.Server.Env {
		name, value, _ := strings.Cut(e, "=")
		add(name, value)
	}
	ofURL(f.Server.URL, add)
	for _, m := range f.means() {
		if m.HTTP != nil {
			ofURL(m.HTTP.URL, add)
		}
	}
	return all
}

// SecretsOf gives the secrets of a URL.
func SecretsOf(address string) (all []Secret) {
	ofURL(address, func(name, value string) {
		if value != "" {
			all = append(all, Secret{name, value})
		}
	})
	return all
}

// ofURL gives the secrets of a URL: user, password, and parameters of its query that
// by their names are secret.
func ofURL(address string, add func(name, value string)) {
	names, values := conform.QuerySecrets(address)
	for i, name := range names {
		add("URL "+name, values[i])
	}
	at, err := url.Parse(address)
	if err != nil || at.User == nil {
		return
	}
	if password, ok := at.User.Password(); ok {
		add("URL password", password)
		add("URL user", at.User.Username()+":"+password)
	}
	add("URL user", at.User.Username())
}

func isCredential(header string) bool {
	return slices.Contains([]string{"authorization", "proxy-authorization"}, strings.ToLower(header))
}

// header tells whether a field may be sent (RFC 9110, sections 5.1 and 5.5).
func validHeader(h conform.HeaderField) (wrong string) {
	if h.Name == "" {
		return "a header without a name"
	}
	for _, c := range []byte(h.Name) {
		if !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return "a header's name holds a character that HTTP forbids"
		}
	}
	if strings.ContainsAny(h.Value, "\r\n\x00") {
		return "a header's value holds a line break"
	}
	return ""
}
