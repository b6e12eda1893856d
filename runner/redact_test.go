package runner

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

const token = `s3cr3t/tok+en==Zy"é x`

func inJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted[1 : len(quoted)-1])
}

func TestSecretIsFoundInEverySpelling(t *testing.T) {
	percent := func(format string) string {
		var b strings.Builder
		for i := range len(token) {
			b.WriteString(strings.NewReplacer("H", string("0123456789abcdef"[token[i]>>4]), "L", string("0123456789abcdef"[token[i]&15])).Replace(format))
		}
		return b.String()
	}
	ascii := `s3cr3t\/tok+en==Zy\"\u00e9 x`
	for name, text := range map[string]string{
		"as it is":                           token,
		"in JSON":                            inJSON(token),
		"in JSON in a string":                inJSON(inJSON(token)),
		"in JSON, three deep":                inJSON(inJSON(inJSON(token))),
		"in JSON with escaped slashes":       ascii,
		"the same in a string":               inJSON(ascii),
		"in JSON, a character by its number": strings.Replace(inJSON(token), "s3", `\u0073\u0033`, 1),
		"in a query":                         url.QueryEscape(token),
		"in a path":                          url.PathEscape(token),
		"in a query, lower case":             strings.NewReplacer("%2F", "%2f", "%2B", "%2b", "%3D", "%3d").Replace(url.QueryEscape(token)),
		"every byte in percent":              percent("%HL"),
		"in base64":                          base64.StdEncoding.EncodeToString([]byte(token)),
		"in base64 for URLs":                 base64.RawURLEncoding.EncodeToString([]byte(token)),
		"in base64, after one byte":          base64.StdEncoding.EncodeToString([]byte(":" + token + "!")),
		"in base64, after two":               base64.StdEncoding.EncodeToString([]byte("u:" + token)),
		"in base64, after a name":            base64.URLEncoding.EncodeToString([]byte("user:" + token + "more")),
		"in hexadecimal":                     hex.EncodeToString([]byte(token)),
		"in hexadecimal, in capitals":        strings.ToUpper(hex.EncodeToString([]byte(token))),
		"in HTML":                            html.EscapeString(token),
		"in HTML, by names":                  strings.NewReplacer(`"`, "&quot;", "é", "&eacute;").Replace(token),
		"in XML, by numbers":                 strings.NewReplacer(`"`, "&#x22;", "é", "&#xE9;", "s3", "&#115;&#51;").Replace(token),
		"in HTML in JSON":                    inJSON(html.EscapeString(token)),
		"in HTML in a query":                 url.QueryEscape(html.EscapeString(token)),
		"in a query in a query":              url.QueryEscape(url.QueryEscape(token)),
		"in JSON in a query":                 url.QueryEscape(inJSON(ascii)),
		"in base64 in a query":               url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(token))),
		"in base64 in JSON with slashes":     strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte("x"+token)), "/", `\/`),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRedactor([]Secret{{"TOKEN", token}}, nil)
			got := r.text("before " + text + " after, and again " + text)
			if n := strings.Count(got, "[redacted TOKEN]"); n != 2 {
				t.Errorf("%q became %q", text, got)
			}
			for _, part := range []string{"s3cr3t", "tok+en", "tok%2"} {
				if strings.Contains(got, part) {
					t.Errorf("%q is left in %q", part, got)
				}
			}
		})
	}
}

func TestOtherTextIsLeftAlone(t *testing.T) {
	r := newRedactor([]Secret{{"TOKEN", token}, {"SHORT", "abc"}}, nil)
	for _, text := range []string{
		"", "abc", `\`, `\\\\\\`, "%", "%7", "%73", `\u00`, "s3cr3t/tok", `{"a":"\\s3cr3t"}`, strings.Repeat(`\`, 1000) + "s3c", "+++",
	} {
		if got := r.text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestSecretIsNowhereInWhatIsRecorded(t *testing.T) {
	var out strings.Builder
	rec := newRecorder(conform.Header{}, &out, newRedactor([]Secret{{"TOKEN", token}}, nil), nil, time.Now())
	for _, o := range []conform.Observation{
		{Kind: conform.KindEffect, Effect: &conform.Effect{Problem: "refused: " + token, States: []conform.State{{ID: token, State: inJSON(token)}}}},
		{Kind: conform.KindSkipped, Skipped: &conform.Skipped{Reason: "the validator handed over to the tool " + token}},
		{Kind: conform.KindReceived, Received: &conform.Received{Header: []conform.HeaderField{{Name: "X-Echo", Value: token}}, Body: []byte(inJSON(token)), Problem: token}},
		{Kind: conform.KindEnded, Ended: &conform.Ended{Cause: "initialize was refused: " + token, Notes: []string{token}}},
	} {
		rec.Record(o)
	}
	if strings.Contains(out.String(), "s3cr3t") {
		t.Errorf("the transcript holds the secret:\n%s", out.String())
	}
}

func TestManySessionIDsStayCheap(t *testing.T) {
	r := newRedactor(nil, nil)
	for i := range 100_000 {
		r.session("session-number-" + string(rune('a'+i%26)) + strings.Repeat("x", i%7) + time.Duration(i).String())
	}
	if n := len(*r.replace.Load()); n > 12*mostSessions {
		t.Errorf("%d values are looked for in every body", n)
	}
}

func FuzzSpelling(f *testing.F) {
	f.Add([]byte(`\\\u0073`), "secret\\value")
	f.Add([]byte(token), token)
	f.Fuzz(func(t *testing.T, text []byte, value string) {
		if value == "" {
			return
		}
		s := spellingOf(value)
		got := s.replace(text, []byte("#"))
		if len(got) > len(text)+len(text) {
			t.Errorf("%q grew to %q", text, got)
		}
		if i := strings.Index(string(text), value); i >= 0 && s.at(text, i) < 0 && strings.ToValidUTF8(value, "") == value {
			t.Errorf("%q is not found in %q", value, text)
		}
	})
}
