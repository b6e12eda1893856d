package platforms

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestAnAllowListIsPlayedAsTheClientWould(t *testing.T) {
	read := func(overrides string) *AllowList {
		a, err := ReadAllowList("a.json", []byte(`[{"tool":{"name":"get_forecast","description":"d","inputSchema":{"type":"object","properties":{"cities":{"type":"array"},"days":{"type":"integer"},"units":{"type":"string"},"key":{"type":"string"}}}},"argOverrides":`+overrides+`}]`))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	operation := func() *conform.Operation {
		return &conform.Operation{Name: "forecasts", Tool: "get_forecast", Argument: "cities", KeyArgument: "key", Fixed: []byte(`{"units":"imperial","lang":"en"}`)}
	}
	o := operation()
	if there, err := read(`{"units":"metric","days":"5"}`).Plays(o); !there || err != nil || string(o.Fixed) != `{"lang":"en","units":"metric","days":5}` {
		t.Errorf("%t, %v: %s", there, err, o.Fixed)
	}
	o = operation()
	if there, err := read(`{}`).Plays(o); !there || err != nil || string(o.Fixed) != `{"lang":"en","units":"imperial"}` && string(o.Fixed) != `{"units":"imperial","lang":"en"}` {
		t.Errorf("%t, %v: %s", there, err, o.Fixed)
	}
	o = &conform.Operation{Tool: "other"}
	if there, err := read(`{}`).Plays(o); there || err != nil || o.Fixed != nil {
		t.Errorf("a tool that is not in the list: %t, %v", there, err)
	}
	for overrides, want := range map[string]string{
		`{"cities":"[]"}`: "takes the items", `{"key":"k"}`: "idempotency key", `{"days":5}`: "is no string", `{"days":"five"}`: "no whole number", `{"town":"x"}`: "has no parameter",
	} {
		if _, err := read(overrides).Plays(operation()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", overrides, err, want)
		}
	}
}
