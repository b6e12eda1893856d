package mask

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"github.com/theory/jsonpath"
)

func masking(t *testing.T, keep []string, paths ...string) *Mask {
	t.Helper()
	var r Rules
	for _, path := range paths {
		parsed, err := jsonpath.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		r.Paths = append(r.Paths, parsed)
	}
	r.Keep = keep
	r.Names = []string{"cancel_orders", "orders"}
	return New([]byte("a key of a test"), r)
}

const asked = `{"jsonrpc":"2.0","id":1001,"method":"tools/call","params":{"name":"cancel_orders","arguments":{"items":[{"id":"1001","name":"Café Anna"},{"id":1002,"name":"日本茶"}]}}}`

// A value is gone wherever it stands, in every spelling.
func TestMaskedValuesAreGoneEverywhere(t *testing.T) {
	m := masking(t, nil, "$..id", "$..name")
	m.Body([]byte(asked))
	decomposed := "Cafe\u0301 Anna"
	for name, text := range map[string]string{
		"a message of the request":   asked,
		"prose":                      "could not cancel Café Anna (1001): locked",
		"prose, decomposed":          "could not cancel " + decomposed + " (1001)",
		"prose, upper case":          "CAFÉ ANNA, 1001",
		"JSON":                       `{"error":{"what":"Café Anna"},"n":1001}`,
		"JSON with numbers":          `{"a":1002}`,
		"JSON, escaped":              `{"a":"Caf\u00e9 \u0041nna"}`,
		"JSON in a string of JSON":   `{"content":[{"type":"text","text":"{\"results\":[{\"id\":\"1001\",\"name\":\"Caf\\u00e9 Anna\"}]}"}]}`,
		"prose with escapes":         `said {"name":"Caf\u00e9 Anna","\\u0041":1}`,
		"a URL":                      "https://shop.example/state?ids=1001,1002&name=" + url.QueryEscape("Café Anna"),
		"a path":                     "/people/" + url.PathEscape("Café Anna") + "/1001",
		"base64":                     "cursor " + base64.StdEncoding.EncodeToString([]byte("after Café Anna, 1001")),
		"base64 for URLs":            base64.RawURLEncoding.EncodeToString([]byte(`{"after":"1001"}`)),
		"a member's name":            `{"output":{"1001":{"ok":true},"Café Anna":1}}`,
		"an event stream":            "event: message\nid: 1001-a\ndata: " + asked[:18] + "\ndata: " + asked[18:] + "\n\n",
		"what is no JSON any more":   asked[:120],
		"a script of another family": `"日本茶"`,
		"a log line":                 "2026-01-02 WARN order=1001 user=\"Café Anna\"",
	} {
		t.Run(name, func(t *testing.T) {
			got := string(m.Body([]byte(text)))
			if got == text {
				t.Fatal("nothing was masked")
			}
			if len(got) != len(text) {
				t.Errorf("%d bytes became %d: %s", len(text), len(got), got)
			}
			plain := got
			for _, row := range strings.FieldsFunc(got, func(r rune) bool { return strings.ContainsRune(` "`, r) }) {
				for _, coding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
					if said, err := coding.DecodeString(row); err == nil {
						plain += " " + string(said)
					}
				}
			}
			if unescaped, err := url.QueryUnescape(plain); err == nil {
				plain += unescaped
			}
			// The request's own id is the protocol's.
			plain = strings.ReplaceAll(plain, `"id":1001,"method"`, "")
			for _, word := range []string{"1001", "1002", "Café", "Anna", "CAFÉ", "ANNA", decomposed, `Caf\u00e9`, "日本茶"} {
				if strings.Contains(plain, word) {
					t.Errorf("%s is left in %s", word, got)
				}
			}
		})
	}
}

// What belongs to the contract, to the protocol and to the tool's own language is
// no value, even if a path leads to it.
func TestContractsOwnWordsStay(t *testing.T) {
	m := masking(t, []string{"KEEP-ME"}, "$..*")
	text := `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"2 of 2"}],"structuredContent":` +
		`{"status":"PARTIAL_SUCCESS","total":2000,"succeeded":1000,"failed":1000,"results":[{"id":"A-2000","success":true,"index":0},{"id":"KEEP-ME","success":false,"code":4711,"error":"already done"}]},"isError":false}}`
	got := string(m.Body([]byte(text)))
	for _, kept := range []string{`"jsonrpc":"2.0","id":7`, `"type":"text"`, `"PARTIAL_SUCCESS"`, `"total":2000`, `"succeeded":1000`, `"success":true`, `"index":0`, `"KEEP-ME"`, `"code":4711`, `"already done"`, `"isError":false`} {
		if !strings.Contains(got, kept) {
			t.Errorf("%s is gone: %s", kept, got)
		}
	}
	if strings.Contains(got, "A-2000") {
		t.Errorf("the id is left: %s", got)
	}
	if call := string(m.Body([]byte(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"cancel_orders","arguments":{"orders":["cancel_orders"]}}}`))); !strings.Contains(call, `"name":"cancel_orders"`) {
		t.Errorf("the tool's name is gone: %s", call)
	}
}

// A short value is masked where it stands alone, and is no reason to change text
// and totals that hold the same character.
func TestShortValues(t *testing.T) {
	m := masking(t, nil, "$..id", "$.ids[*]")
	got := string(m.Body([]byte(`{"jsonrpc":"2.0","id":3,"result":{"structuredContent":{"total":3,"message":"3 of 3 done","rows":3,"results":[{"id":"3","ok":true},{"id":3}]}}}`)))
	for _, kept := range []string{`"id":3,"result"`, `"total":3`, "3 of 3 done", `"rows":3`} {
		if !strings.Contains(got, kept) {
			t.Errorf("%s is gone: %s", kept, got)
		}
	}
	stand := m.by.Text("3")
	if stand == "3" || !strings.Contains(got, `{"id":"`+stand+`"`) || !strings.Contains(got, `{"id":`+stand+`}`) {
		t.Errorf("3 is to be %s, as text and as number: %s", stand, got)
	}
	if item := string(m.Fragment([]byte(`"3"`))); item != `"`+stand+`"` {
		t.Errorf("the item became %s", item)
	}
}

func TestKeepPathsAreNotMasked(t *testing.T) {
	m := masking(t, nil, "$.customer")
	keep, err := jsonpath.Parse("$..country")
	if err != nil {
		t.Fatal(err)
	}
	m.rules.KeepPaths = []*jsonpath.Path{keep}
	got := string(m.Body([]byte(`{"customer":{"name":"Anna Schmidt","home":{"country":"Norway","city":"Bergen"}}}`)))
	if !strings.Contains(got, "Norway") || strings.Contains(got, "Anna") || strings.Contains(got, "Bergen") {
		t.Error(got)
	}
}

func TestAnotherKeyGivesOtherPseudonyms(t *testing.T) {
	one := NewPseudonyms([]byte("one"), stays).Text("Anna Schmidt 4711")
	other := NewPseudonyms([]byte("other"), stays).Text("Anna Schmidt 4711")
	if one == other || one != NewPseudonyms([]byte("one"), stays).Text("Anna Schmidt 4711") {
		t.Errorf("%q and %q", one, other)
	}
}
