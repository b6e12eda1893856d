package conform

import (
	"net/url"
	"slices"
	"strings"
)

// ShellWord writes a word so that a POSIX shell reads it back as it is. Selectors
// and the lines that reproduce a finding are made of such words.
func ShellWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$`&|;<>(){}[]*?#~!") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// WithoutSecrets gives a URL to be shown: without its user and password, and without
// the values of those parameters of its query whose names say that they are secret.
// What is no URL is given as it is.
func WithoutSecrets(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	pairs, hidden := strings.Split(u.RawQuery, "&"), u.User != nil
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil && value != "" && SecretName(plain) {
			pairs[i], hidden = name+"=redacted", true
		}
	}
	if !hidden {
		return address
	}
	if u.User != nil {
		u.User = url.User("redacted")
	}
	u.RawQuery = strings.Join(pairs, "&")
	return u.String()
}

// QuerySecrets gives the secret parameters of a URL's query, in their order.
func QuerySecrets(address string) (names, values []string) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, nil
	}
	for _, pair := range strings.Split(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, wrong := url.QueryUnescape(name)
		value, err := url.QueryUnescape(value)
		if wrong == nil && err == nil && value != "" && SecretName(name) {
			names, values = append(names, name), append(values, value)
		}
	}
	return names, values
}

// secretNames are names of credentials in full, secretParts what names of
// credentials hold; letter case, hyphens and underscores do not count.
var (
	secretNames = []string{"code", "jwt", "key", "pass", "pwd", "sas", "session", "sessionid", "sid", "sig"}
	secretParts = []string{"accesskey", "apikey", "auth", "credential", "passphrase", "passwd", "password", "privatekey", "secret", "signature", "token"}
)

// SecretName tells a name whose value is likely a credential: "token", "api_key",
// "X-Amz-Signature".
func SecretName(name string) bool {
	name = strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
	return slices.Contains(secretNames, name) || strings.HasSuffix(name, "key") ||
		slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(name, part) })
}
