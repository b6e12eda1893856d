package mask

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// texts are names as people have them, and odd ones.
var texts = rapid.OneOf(
	rapid.SampledFrom([]string{
		"Product A", "Café Especial", "L'Écharpe d'Été", "Straßenkarte Köln", "日本茶セット", "حقيبة سفر", "Piñata Ñandú", "Tea & Coffee Set 🍵",
		"Đèn lồng Hội An", "각설탕", "Ångström Ruler", "9007199254740993", "007", "1e3", "550e8400-e29b-41d4-a716-446655440000", "Ω Ωmega ς", "İstanbul ı",
	}),
	rapid.String(),
	rapid.StringOf(rapid.RuneFrom(nil, unicode.Latin, unicode.Mn, unicode.Greek, unicode.Hangul, unicode.Nd, unicode.Space)),
	rapid.StringMatching(`[A-Za-z0-9 ,._-]{0,24}`),
)

// What checks look at is kept: canonical equality, normal form, case variants,
// outer space, lengths, what sort of character stands where.
func TestPseudonymsKeepWhatIsJudged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := NewPseudonyms([]byte(rapid.String().Draw(t, "key")), stays)
		text := texts.Draw(t, "text")
		if !utf8.ValidString(text) || strings.ContainsFunc(text, deprecated) {
			return
		}
		is := p.Text(text)
		if p.Text(text) != is {
			t.Fatalf("%q: %q, then %q", text, is, p.Text(text))
		}
		if len(is) != len(text) || utf8.RuneCountInString(is) != utf8.RuneCountInString(text) {
			t.Fatalf("%q became %q: another length", text, is)
		}
		was := []rune(text)
		for i, r := range []rune(is) {
			if wordly(r) != wordly(was[i]) || unicode.IsDigit(r) != unicode.IsDigit(was[i]) || unicode.IsUpper(r) != unicode.IsUpper(was[i]) || !wordly(r) && r != was[i] {
				t.Fatalf("%q became %q: character %d is of another sort", text, is, i)
			}
		}
		if norm.NFC.IsNormalString(text) != norm.NFC.IsNormalString(is) || norm.NFD.IsNormalString(text) != norm.NFD.IsNormalString(is) {
			t.Fatalf("%+q became %+q: another normal form", text, is)
		}
		for form, in := range map[string]func(string) string{"NFC": norm.NFC.String, "NFD": norm.NFD.String} {
			if p.Text(in(text)) != in(is) {
				t.Fatalf("%s of %+q became %+q, and the pseudonym in %s is %+q", form, text, p.Text(in(text)), form, in(is))
			}
		}
		if p.Text(" "+text+"\t") != " "+is+"\t" {
			t.Fatalf("outer space changes %q", text)
		}
		if ascii := isASCII(text); ascii && (p.Text(strings.ToUpper(text)) != strings.ToUpper(is) || p.Text(strings.ToLower(text)) != strings.ToLower(is)) {
			t.Fatalf("%q became %q, in upper case %q", text, is, p.Text(strings.ToUpper(text)))
		}
	})
}

// deprecated tells the characters that every normal form replaces by others, such
// as the Kelvin sign: their pseudonyms are those of what replaces them.
func deprecated(r rune) bool { return norm.NFC.String(string(r)) != string(r) }

// Different words never get one pseudonym, and none keeps its own while others
// are free.
func TestPseudonymsAreDifferent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := NewPseudonyms([]byte("a key"), stays)
		words := rapid.SliceOfDistinct(rapid.StringMatching(`[a-z]{1,6}|[1-9][0-9]{0,4}[1-9]|[1-9]|[a-z][0-9]{1,3}`), func(w string) string { return w }).Draw(t, "words")
		by := map[string]string{}
		for _, word := range words {
			is := p.Text(word)
			if other, taken := by[is]; taken {
				t.Fatalf("%q and %q both became %q", word, other, is)
			}
			by[is] = word
			if is == word && len(word) > 2 && !stays(word) {
				t.Fatalf("%q stays", word)
			}
		}
	})
}

// Small sorts of words are used up in practice: ids are numbered through.
func TestAllNumbersHavePseudonymsOfTheirOwn(t *testing.T) {
	p := NewPseudonyms([]byte("a key"), stays)
	by := map[string]string{}
	own := 0
	for n := 1; n < 10_000; n++ {
		for _, word := range []string{strconv.Itoa(n), fmt.Sprintf("B%d", n)} {
			is := p.Text(word)
			if other, taken := by[is]; taken {
				t.Fatalf("%s and %s both became %s", word, other, is)
			}
			by[is] = word
			if is == word {
				own++
			}
		}
	}
	if own > 20 {
		t.Errorf("%d of them stay", own)
	}
}

func TestNumbersStayNumbers(t *testing.T) {
	p := NewPseudonyms([]byte("a key"), stays)
	if a, b := p.Text("1001"), p.Number("1001"); a != b {
		t.Errorf("the text is %s and the number %s", a, b)
	}
	if a, b := p.Text("0071"), p.Text("71"); a != "00"+b {
		t.Errorf("0071 is %s and 71 is %s", a, b)
	}
	if a, b := p.Number("-71.0e5"), p.Number("71"); a != "-"+b+".0e5" {
		t.Errorf("-71.0e5 is %s and 71 is %s", a, b)
	}
	for _, number := range []string{"9007199254740993", "9007199254740990", "9999999999999999", "1000000000000001"} {
		if is := p.Number(number); (is > lastExact) != (number > lastExact) {
			t.Errorf("%s became %s, on the other side of 2^53", number, is)
		}
	}
	for _, number := range []string{"0", "0.0", "0e9", "00"} {
		if is := p.Number(number); is != number {
			t.Errorf("%s became %s", number, is)
		}
	}
}

// Whatever stands in a body, masking it neither fails nor breaks JSON, and a value
// that was learnt is not in it any more.
func FuzzBody(f *testing.F) {
	f.Add([]byte(asked))
	f.Add([]byte("data: {\"a\":\n\ndata:data:"))
	f.Add([]byte(`{"a":"\ud83d\ude00\\\\u00e9%C3%A9%","a":1e5}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		m := New([]byte("a key"), Rules{})
		m.LearnText("Anna Schmidt")
		got := m.Body(body)
		if len(got) != len(body) {
			t.Fatalf("%q became %q", body, got)
		}
		if strings.Contains(string(got), "Anna Schmidt") && !strings.Contains(string(body), "Anna Schmidt") {
			t.Fatalf("%q became %q", body, got)
		}
	})
}
