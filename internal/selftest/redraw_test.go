package selftest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
)

// TestRedrawnTranscripts plays one batch, gives its transcript other names, and
// sees that none of the old ones is left and that it says the same.
func TestRedrawnTranscripts(t *testing.T) {
	names, err := drawNames()
	if err != nil {
		t.Fatal(err)
	}
	for name, fault := range map[string]string{
		"as text":                  "RES-02/drops-failed",
		"where bytes are no UTF-8": "PRO-14/not-utf8",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := fakebackend.ParseFault(fault)
			if err != nil {
				t.Fatal(err)
			}
			r, err := record(t.Context(), play{f, fakebackend.HTTP}.server(), self(), []string{"partial/bad-first"})
			if err != nil {
				t.Fatal(err)
			}
			other, err := names.transcript(r.transcript)
			if err != nil {
				t.Fatal(err)
			}
			asked := 0
			header, observations, err := conform.ReadTranscript(bytes.NewReader(other))
			if err != nil {
				t.Fatal(err)
			}
			for _, old := range []string{"cancel_products", "cancel-products", "Product A", "1001", "Unknown Weekly", "O-9001"} {
				if bytes.Contains(r.transcript, []byte(old)) {
					asked++
				}
				for _, o := range observations {
					if in := o.Received; in != nil && strings.Contains(string(in.Body), old) || o.Planned != nil && strings.Contains(string(o.Planned.Arguments), old) {
						t.Errorf("%q is still there in %s", old, o.Call)
					}
				}
			}
			if asked < 4 {
				t.Fatalf("only %d of the names were asked for at all", asked)
			}
			if header.Target.Operations[0].Name == "cancel-products" {
				t.Error("the operation keeps its name")
			}
			second, err := r.again(names)
			if err != nil {
				t.Fatal(err)
			}
			if d := difference(r.report.Findings, second.Findings, names.replace); d != "" {
				t.Error(d)
			}
		})
	}
}

// A check that knows an example instead of its rule says something else under
// other names, and the difference is told.
func TestDifferenceTellsWhatChanged(t *testing.T) {
	names, err := drawNames()
	if err != nil {
		t.Fatal(err)
	}
	operation := names.replace("cancel-products")
	first := []conform.Finding{finding("RES-02", "cancel-products", conform.Fail, ""), finding("RES-03", "cancel-products", conform.Pass, "")}
	for name, c := range map[string]struct {
		second []conform.Finding
		want   string
	}{
		"the same":       {[]conform.Finding{finding("RES-02", operation, conform.Fail, ""), finding("RES-03", operation, conform.Pass, "")}, ""},
		"another":        {[]conform.Finding{finding("RES-02", operation, conform.Pass, ""), finding("RES-03", operation, conform.Pass, "")}, "RES-02"},
		"one less":       {[]conform.Finding{finding("RES-02", operation, conform.Fail, "")}, "RES-03 is missing"},
		"one more":       {[]conform.Finding{finding("RES-02", operation, conform.Fail, ""), finding("RES-03", operation, conform.Pass, ""), finding("RES-04", "", conform.Pass, "")}, "RES-04 is new"},
		"the root moved": {[]conform.Finding{finding("RES-02", operation, conform.Fail, "RES-01"), finding("RES-03", operation, conform.Pass, "")}, "consequence of RES-01"},
	} {
		t.Run(name, func(t *testing.T) {
			got := difference(first, c.second, names.replace)
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
