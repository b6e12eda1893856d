package target

// kind is the sort of a YAML value, as far as a target file cares.
type kind uint8

const (
	nothing kind = iota // null, ~, or no value at all
	plain               // a scalar without quotes: may be a number or a boolean
	quoted              // a scalar in quotes, or a block of text: always a text
	mapping
	list
)

// node is one YAML value and where it stands.
type node struct {
	kind    kind
	file    string // as errors name it
	line    int
	column  int
	text    string // of scalars
	entries []entry
	items   []*node
	flow    bool // written in brackets
}

// entry is one key of a mapping, in the order of the file.
type entry struct {
	key    string
	file   string
	line   int
	column int
	value  *node
}

// get gives the value of a key; nil if there is none.
func (n *node) get(key string) *node {
	if n == nil || n.kind != mapping {
		return nil
	}
	for i := range n.entries {
		if n.entries[i].key == key {
			return n.entries[i].value
		}
	}
	return nil
}

// only tells whether the mapping has keys, and no other key than these.
func (n *node) only(keys ...string) bool {
	if n.kind != mapping || len(n.entries) == 0 {
		return false
	}
	for _, e := range n.entries {
		known := false
		for _, key := range keys {
			known = known || e.key == key
		}
		if !known {
			return false
		}
	}
	return true
}

// is names the value's sort in a person's words.
func (n *node) is() string {
	switch n.kind {
	case nothing:
		return "empty"
	case mapping:
		return "a mapping"
	case list:
		return "a list"
	case quoted:
		return "a text"
	}
	switch {
	case n.text == "true", n.text == "false":
		return n.text
	case isNumber(n.text):
		return "a number"
	}
	return "a text"
}

// isNumber tells whether a text is a JSON number (RFC 8259, section 6).
func isNumber(text string) bool {
	rest := text
	if len(rest) > 0 && rest[0] == '-' {
		rest = rest[1:]
	}
	whole, rest := digits(rest)
	if whole == 0 || whole > 1 && text[len(text)-len(rest)-whole] == '0' {
		return false
	}
	if len(rest) > 0 && rest[0] == '.' {
		var fraction int
		if fraction, rest = digits(rest[1:]); fraction == 0 {
			return false
		}
	}
	if len(rest) > 0 && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if len(rest) > 0 && (rest[0] == '+' || rest[0] == '-') {
			rest = rest[1:]
		}
		var exponent int
		if exponent, rest = digits(rest); exponent == 0 {
			return false
		}
	}
	return rest == ""
}

func digits(text string) (count int, rest string) {
	for count < len(text) && '0' <= text[count] && text[count] <= '9' {
		count++
	}
	return count, text[count:]
}
