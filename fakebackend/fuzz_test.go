package fakebackend

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// FuzzExpand holds that names which were read out of a text are read out of it
// again when they are spelled anew.
func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"", "a, b and c", `"x, y"; z`, "Café e Prosa e Pan y Vino", "“a” , «b»", `"open, b`, ",,;\n", "a and and b", `a "b, c" d`, "\u00a0x\u2003"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		none := func(string) bool { return false }
		names := expand(text, none)
		for _, name := range names {
			if strings.TrimSpace(name) == "" {
				t.Errorf("an empty name among %q of %q", names, text)
			}
		}
		if strings.ContainsAny(text, `"“”„«»`) {
			return // a quote inside a name cannot be quoted
		}
		trimmed := func(list []string) []string {
			var all []string
			for _, name := range list {
				all = append(all, strings.TrimSpace(name))
			}
			return all
		}
		if again := expand(spell(names), none); !slices.Equal(trimmed(again), trimmed(names)) {
			t.Errorf("%q spelled as %q is read as %q", names, spell(names), again)
		}
	})
}

// FuzzCanon holds that the canonical form is its own, and the same for every
// normal form.
func FuzzCanon(f *testing.F) {
	for _, seed := range []string{"Café", "STRASSE ß", "İstanbul", "각설탕", "  ", "\u0344\u03b9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !utf8.ValidString(name) || len(name) > 1<<10 {
			return
		}
		once := canon(name)
		if again := canon(once); again != once {
			t.Errorf("canon of %q is %q, and of that %q", name, once, again)
		}
		if nfd := canon(norm.NFD.String(name)); nfd != once {
			t.Errorf("canon of %q is %q, decomposed %q", name, once, nfd)
		}
		if plain, ok := plainCanon(name); ok && plain != anyCanon(name) {
			t.Errorf("the short way gives %q for %q, the long one %q", plain, name, anyCanon(name))
		}
		loose(name)
	})
}

// FuzzRequest holds that no arguments, however odd, make a tool panic, and that
// each answer has a row for each item and is JSON.
func FuzzRequest(f *testing.F) {
	for _, s := range steps {
		f.Add(s.tool, s.arguments)
	}
	f.Add(cancelProducts, `{"items":[[],null,{"id":{}},{"id":1e999},{"name":"\ud800"}]}`)
	f.Add(cancelProducts, `{"items":{"items":[1]}}`)
	f.Add(queryOrders, `{"order_ids":[null,"",{"name":1}]}`)
	f.Add(validateSubscriptions, `{"subject":["S-01"],"items":""}`)
	f.Fuzz(func(t *testing.T, name, arguments string) {
		if len(arguments) > 1<<12 {
			return
		}
		b, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		args, ok := readArguments(json.RawMessage(arguments))
		if !ok {
			return
		}
		for _, tool := range toolList(b.options) {
			if tool.name != name {
				continue
			}
			a := tool.run(b, &call{ctx: t.Context(), tool: name, args: args})
			if !json.Valid(encode(a.payload)) {
				t.Errorf("%s(%s) says %s", name, arguments, encode(a.payload))
			}
			if rows, ok := a.payload.get("results").([]any); ok && name == cancelProducts && len(rows) != len(args.refs("items")) {
				t.Errorf("%d rows for %s", len(rows), arguments)
			}
		}
	})
}

// FuzzDecode holds that what was decoded and encoded is decoded to the same.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.50,{"a":true,"a":null}],"b":"\u00e9"}`, `[]`, `1`, `{"a":1}{}`, `[[[`, "\"\xff\"", `{"n":123456789012345678901234567890}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := decode(text)
		if err != nil {
			return
		}
		once := encode(v)
		again, err := decode(once)
		if err != nil || !bytes.Equal(encode(again), once) {
			t.Errorf("%q becomes %q and then %q, %v", text, once, encode(again), err)
		}
		readExchange(text)
	})
}

// FuzzRefs holds that items are read alike the short way and the long one.
func FuzzRefs(f *testing.F) {
	for _, seed := range []string{
		strings.Repeat("[", 300) + strings.Repeat("]", 300), `{"id":"B1"}`, `{"name":"Bulk 1","id":"B1"}`, `{"id":"B1","id":"B2"}`, `{"id":"","name":"x"}`, `{"id":" "}`, `{"id":1}`, `{"id":null,"name":"x"}`,
		`{"id":"a\u0062"}`, `{"i\u0064":"a"}`, `{"ID":"a"}`, `{"id":"é"}`, `{"id":"x","eligible":false,"reason":"r"}`, `{ "id" : "x" }`, `{}`,
		`[]`, `[ "a" , {"id":"b"},[1,[2]],null,1.5,true ]`, `"x"`, `" "`, `7`, `[" ",""]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		if short, ok := plainRef(raw); ok && short != readAnyObject(raw) {
			t.Errorf("%s is read as %+v the short way and as %+v the long one", raw, short, readAnyObject(raw))
		}
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || bytes.TrimSpace(raw)[0] != '[' {
			return
		}
		refs := arguments{"items": raw}.refs("items")
		if len(refs) != len(list) {
			t.Fatalf("%s has %d items, and %d are read", raw, len(list), len(refs))
		}
		for i, one := range list {
			if refs[i] != readRef(bytes.TrimSpace(one)) {
				t.Errorf("item %d of %s is read as %+v", i, raw, refs[i])
			}
		}
	})
}
