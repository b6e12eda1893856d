package fakebackend

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// posting posts a form to the authorization server of a backend.
func posting(t *testing.T, at, path string, form url.Values) (status int, answer map[string]any) {
	t.Helper()
	response, err := http.PostForm(strings.TrimSuffix(at, "/mcp")+path, form)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	_ = json.NewDecoder(response.Body).Decode(&answer) // some have none
	return response.StatusCode, answer
}

// knocking asks for the state, and gives the status and the challenge.
func knocking(t *testing.T, at, token string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(at, "/mcp")+"/state?ids=1001", nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode, response.Header.Get("WWW-Authenticate")
}

func TestTokensOfTheBackendsOwnServer(t *testing.T) {
	at := started(t, Options{OAuth: true, TokenRequests: 2}).URL
	if status, challenge := knocking(t, at, ""); status != http.StatusUnauthorized || !strings.Contains(challenge, `resource_metadata="`+strings.TrimSuffix(at, "/mcp")+pathResource+`/mcp"`) {
		t.Fatalf("status %d, challenge %q", status, challenge)
	}
	client := url.Values{"grant_type": {"client_credentials"}, "client_id": {DemoClient}, "client_secret": {DemoSecret}, "resource": {at}}
	but := func(name, value string) url.Values {
		other := url.Values{}
		for n, v := range client {
			other[n] = v
		}
		other.Set(name, value)
		return other
	}
	for name, c := range map[string]struct {
		form   url.Values
		status int
		code   string
	}{
		"a wrong secret":     {but("client_secret", "x"), 401, "invalid_client"},
		"no resource":        {but("resource", ""), 400, "invalid_target"},
		"another resource":   {but("resource", "https://a.example"), 400, "invalid_target"},
		"no grant":           {but("grant_type", "password"), 400, "unsupported_grant_type"},
		"a code of nobody":   {but("grant_type", "authorization_code"), 400, "invalid_grant"},
		"nothing to refresh": {but("grant_type", "refresh_token"), 400, "invalid_grant"},
		"a device of nobody": {but("grant_type", grantDevice), 400, "expired_token"},
	} {
		if status, answer := posting(t, at, pathToken, c.form); status != c.status || answer["error"] != c.code {
			t.Errorf("%s: status %d, %v", name, status, answer)
		}
	}
	_, answer := posting(t, at, pathToken, client)
	token, _ := answer["access_token"].(string)
	for n, want := range []int{200, 200, 401} {
		if status, _ := knocking(t, at, token); status != want {
			t.Errorf("request %d was answered with %d", n+1, status)
		}
	}
	if _, challenge := knocking(t, at, token); !strings.Contains(challenge, "invalid_token") {
		t.Errorf("challenge %q", challenge)
	}
}
