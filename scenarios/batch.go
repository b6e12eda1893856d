package scenarios

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Batch is the items of one call, in the words of a scenario file:
//
//	good, bad, informal, many       one item of that list of the target file
//	good x 3                        three of them; fewer where items are short
//	good in upper case              one item, its name spelled differently:
//	                                in upper case, in lower case, with outer space, decomposed
//	good with emoji                 one item in a form that nobody knows of: with combining accent,
//	                                with zero width, right to left, with emoji, very long,
//	                                numbered 0 (or -1, 2^53+1, 2^63), without optional members, with nulls
//	good with accents               one whose name is so: with accents, with a comma
//	1 again, 1 with outer space     the item at a place of this batch once more
type Batch []Entry

// Entry is one word of a batch.
type Entry struct {
	Kind     ItemKind
	Count    int  // 1 or more
	Counted  bool // written with "x N": the count may be cut down
	Spelling Spelling
	Having   Having
	Of       int // one more than the position of the earlier item; 0: a new one
	// Later is how a later entry spells this item again: its name must read
	// differently then.
	Later Spelling
}

// ItemKind is a list of items in the target file.
type ItemKind string

// The kinds. Many are good items from the template first, Good ones from the
// list first; each falls back on the other.
const (
	GoodItem     ItemKind = "good"
	BadItem      ItemKind = "bad"
	InformalItem ItemKind = "informal"
	ManyItem     ItemKind = "many"
)

// Spelling is how an item's name is written differently.
type Spelling string

// The spellings.
const (
	AsIs       Spelling = ""
	UpperCase  Spelling = "in upper case"
	LowerCase  Spelling = "in lower case"
	OuterSpace Spelling = "with outer space"
	Decomposed Spelling = "decomposed" // Unicode normalization form D
)

// Having is what an item's name must have.
type Having string

// The havings.
const (
	Anything Having = ""
	Accents  Having = "with accents"
	Comma    Having = "with a comma"
)

var entryForm = regexp.MustCompile(`^(good|bad|informal|many|[1-9][0-9]{0,3})(?: (again|in upper case|in lower case|with outer space|decomposed|with accents|with a comma|` + oddForms + `))?(?: x ([1-9][0-9]{0,5}))?$`)

// ParseBatch reads a batch, whose words are separated by commas.
func ParseBatch(text string) (Batch, error) {
	var batch Batch
	at := 0
	for word := range strings.SplitSeq(text, ",") {
		e, err := parseEntry(strings.TrimSpace(word), at)
		if err != nil {
			return nil, err
		}
		if at += e.Count; at > MaxBatch {
			return nil, fmt.Errorf("a batch has at most %d items", MaxBatch)
		}
		batch.mark(e.Of, e.Spelling)
		batch = append(batch, e)
	}
	return batch, nil
}

// MaxBatch bounds the items of one call.
const MaxBatch = 100_000

// parseEntry reads one word of a batch; at is its item's position.
func parseEntry(word string, at int) (Entry, error) {
	m := entryForm.FindStringSubmatch(strings.Join(strings.Fields(word), " "))
	if m == nil {
		return Entry{}, fmt.Errorf("%q is no item", word)
	}
	e := Entry{Count: 1}
	if m[3] != "" {
		e.Counted = true
		e.Count, _ = strconv.Atoi(m[3])
		if e.Count > MaxBatch {
			return Entry{}, fmt.Errorf("%q: a batch has at most %d items", word, MaxBatch)
		}
	}
	switch m[2] {
	case string(Accents), string(Comma):
		e.Having = Having(m[2])
	case "again":
	default:
		e.Spelling = Spelling(m[2])
	}
	if of, err := strconv.Atoi(m[1]); err == nil {
		switch {
		case of > at:
			return Entry{}, fmt.Errorf("%q: there is no item %d before it", word, of)
		case e.Counted:
			return Entry{}, fmt.Errorf("%q: an item that comes again comes once", word)
		case m[2] == "" || e.Having != Anything:
			return Entry{}, fmt.Errorf("%q does not say how item %d comes again", word, of)
		case e.Spelling.odd():
			return Entry{}, fmt.Errorf("%q: an item comes again as it was, or in another spelling of its name", word)
		}
		e.Of = of
		return e, nil
	}
	e.Kind = ItemKind(m[1])
	switch {
	case m[2] == "again":
		return Entry{}, fmt.Errorf("%q does not say which item comes again", word)
	case e.Kind != GoodItem && (e.Spelling != AsIs || e.Having != Anything):
		return Entry{}, fmt.Errorf("%q: only good items are chosen by their names or spelled differently", word)
	}
	return e, nil
}

// Size is how many items the batch has.
func (b Batch) Size() int {
	n := 0
	for _, e := range b {
		n += e.Count
	}
	return n
}

// mark tells the entry of an item (counted from 1) how a later one spells it.
func (b Batch) mark(item int, later Spelling) {
	if item == 0 || later == AsIs {
		return
	}
	at := 0
	for i := range b {
		if at += b[i].Count; item <= at {
			b[i].Later = later
			return
		}
	}
}

// cut gives the batch with every count cut to a share, in thousandths, and
// never below one; a batch of several keeps at least two.
func (b Batch) cut(share int) Batch {
	out := make(Batch, len(b))
	copy(out, b)
	for i := range out {
		if out[i].Counted {
			out[i].Count = max(1, out[i].Count*share/1000)
		}
	}
	if b.Size() >= 2 && out.Size() < 2 {
		for i := range out {
			if out[i].Counted && b[i].Count >= 2 {
				out[i].Count = 2
				break
			}
		}
	}
	return out
}

// atMost cuts the counts until the batch has at most n items; ok is false where
// it cannot be made so small.
func (b Batch) atMost(n int) (Batch, bool) {
	if b.Size() <= n {
		return b, true
	}
	low, high := 0, 1000 // low fits
	if b.cut(0).Size() > n {
		return b, false
	}
	for high-low > 1 {
		if mid := (low + high) / 2; b.cut(mid).Size() <= n {
			low = mid
		} else {
			high = mid
		}
	}
	out := b.cut(low)
	for i := range out { // shares are whole thousandths: fill up what rounding left
		if out[i].Counted {
			out[i].Count = min(b[i].Count, out[i].Count+n-out.Size())
		}
	}
	return out, true
}
