package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

const hello = `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func asks(t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("HTTP %d, %v", reply.StatusCode, err)
	}
	return string(body)
}

// Each front changes the very first answer, in its own way and no other.
func TestEveryFrontBreaksTheHandshakeToo(t *testing.T) {
	running, err := fakebackend.Start(fakebackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	good := asks(t, running.URL)
	for name, want := range map[string]struct{ has, lacks string }{
		"version-1":        {`"jsonrpc":"1.0","id":7`, `"2.0"`},
		"no-version":       {`{"id":7,"result"`, "jsonrpc"},
		"result-and-error": {`"id":7,"error":{"code":-32000,"message":"with remarks"},"result":{`, "outcome"},
		"neither":          {`"id":7,"outcome":{`, `,"result"`},
		"id-as-text":       {`"id":"7","result"`, `"id":7`},
		"strangers-id":     {`"id":997,"result"`, `"id":7`},
		"answers-twice":    {good + good, "99"},
		"unfinished-event": {strings.TrimSuffix(good, "\n"), "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range allFronts() {
				if f.name != name {
					continue
				}
				url, stop, err := f.start(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				defer stop()
				got := asks(t, url)
				if !strings.Contains(got, want.has) || strings.Contains(got, want.lacks) || got == good {
					t.Errorf("got  %q\ngood %q", got, good)
				}
				return
			}
			t.Error("there is no such front")
		})
	}
}

func TestEveryFrontIsNamedOnceAndBreaksARuleOfOurs(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range allFronts() {
		if seen[f.name] || f.sentence == "" || (f.message == nil) == (f.event == nil) {
			t.Errorf("%+v", f.name)
		}
		seen[f.name] = true
		if !fronted(f.breaks) || !strings.Contains(strings.Join(protocolIDs(), " "), f.breaks) {
			t.Errorf("%s breaks %s", f.name, f.breaks)
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d fronts", len(seen))
	}
	if _, err := json.Marshal(fronts([]string{handshake})); err != nil {
		t.Error(err)
	}
}
