package rawjson

import (
	"strings"
	"testing"
)

func TestParseKeepsEveryByteItsPlace(t *testing.T) {
	src := []byte(" {\"a\" : [ 1 , 9007199254740993, \"x\\u00e9\" ], \"b/c\":{\"d\":null},\"a\":true} ")
	n, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	n.Walk(func(at *Node) bool {
		if got := string(src[at.Offset : at.Offset+len(at.Raw)]); got != string(at.Raw) {
			t.Errorf("%s: bytes at offset are %q, node holds %q", at.Pointer(), got, at.Raw)
		}
		return true
	})
	if got, _ := n.At("a").Items[1].Literal(); got != "9007199254740993" {
		t.Errorf("big number read as %s", got)
	}
	if got := n.At("b/c", "d").Pointer(); got != "/b~1c/d" {
		t.Errorf("pointer %s", got)
	}
	if d := n.Doubled(); len(d) != 1 || d[0].Name != "a" || d[0].Value.Kind != Bool {
		t.Errorf("doubled: %+v", d)
	}
}

func TestParseRefusesWhatIsNoValue(t *testing.T) {
	for name, src := range map[string]string{
		"nothing": "", "byte order mark": "\ufeff{}", "two values": "{} {}", "comma too many": "[1,]",
		"cut": `{"a":`, "prose": "done", "too deep": strings.Repeat("[", 600) + strings.Repeat("]", 600),
	} {
		t.Run(name, func(t *testing.T) {
			if n, err := Parse([]byte(src)); err == nil {
				t.Errorf("%q was read as %v", src, n.Kind)
			}
		})
	}
}

func TestParseBoundsTheNumberOfValues(t *testing.T) {
	if _, err := parse([]byte(`[0,{"a":1}]`), 4); err != nil {
		t.Fatalf("four values: %v", err)
	}
	if _, err := parse([]byte(`[0,{"a":1},2]`), 4); err == nil || err.Error() != "byte 11 at /2: more than 4 values" {
		t.Errorf("one value more: %v", err)
	}
}

func TestBadUTF8(t *testing.T) {
	if at := BadUTF8([]byte("{\"a\":\"\xff\"}")); at != 6 {
		t.Errorf("offset %d", at)
	}
	if n, err := Parse([]byte("{\"a\":\"\xff\"}")); err != nil || n.Get("a") == nil {
		t.Errorf("invalid UTF-8 must be read over: %v", err)
	}
}

func TestManyMembersStillTellDoubles(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := range 40 {
		b.WriteString(`"k` + strings.Repeat("x", i) + `":1,`)
	}
	b.WriteString(`"k":2}`)
	n, err := Parse([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(n.Doubled()) != 1 {
		t.Errorf("doubled: %d", len(n.Doubled()))
	}
}

// Pointers are put together when asked for: one name of a megabyte above many
// values must not be copied once for each of them.
func TestALongNameAboveManyValuesCostsItsLengthOnce(t *testing.T) {
	name := strings.Repeat("n", 1<<20)
	src := []byte(`{"` + name + `":[` + strings.Repeat("1,", 1000) + `1]}`)
	var n *Node
	took := testing.AllocsPerRun(1, func() { n, _ = Parse(src) })
	if took > 1100 {
		t.Errorf("%.0f allocations for 1,002 values", took)
	}
	if got := n.Get(name).Items[7].Pointer(); got != "/"+name+"/7" {
		t.Errorf("a pointer of %d bytes", len(got))
	}
}

func BenchmarkParse(b *testing.B) {
	row := `{"id":"1001","name":"Product A","success":true,"protocol":"P-1"}`
	src := []byte(`{"status":"SUCCESS","results":[` + strings.Repeat(row+",", 99) + row + `]}`)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `[]`, "{\"a\":\"\xff\"}", `{"a":1,"a":2}`, `"\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, err := Parse(src)
		if err != nil {
			return
		}
		n.Walk(func(at *Node) bool {
			if string(src[at.Offset:at.Offset+len(at.Raw)]) != string(at.Raw) {
				t.Fatalf("%s is not where it says", at.Pointer())
			}
			return true
		})
	})
}
