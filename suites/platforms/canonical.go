package platforms

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// canonical writes a value so that two which say the same are the same text: members
// sorted, strings decoded, numbers as they stand. Of a schema, required, enum and a
// list as type are sets, and $schema, title and $comment are left out.
func canonical(n *rawjson.Node, schema bool) string {
	var b strings.Builder
	write(&b, n, schema)
	return b.String()
}

func write(b *strings.Builder, n *rawjson.Node, schema bool) {
	switch {
	case n == nil:
		b.WriteString("null")
	case n.Is(rawjson.Object):
		all := slices.Clone(n.Members)
		slices.SortStableFunc(all, func(a, b rawjson.Member) int { return strings.Compare(a.Name, b.Name) })
		b.WriteByte('{')
		first := true
		for _, m := range all {
			if schema && slices.Contains([]string{"$schema", "title", "$comment"}, m.Name) {
				continue
			}
			if !first {
				b.WriteByte(',')
			}
			first = false
			b.WriteString(encoded(m.Name))
			b.WriteByte(':')
			writeMember(b, m, schema)
		}
		b.WriteByte('}')
	case n.Is(rawjson.Array):
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, item, schema)
		}
		b.WriteByte(']')
	case n.Is(rawjson.String):
		text, _ := n.Str()
		b.WriteString(encoded(text))
	default:
		b.Write(n.Raw)
	}
}

func writeMember(b *strings.Builder, m rawjson.Member, schema bool) {
	switch {
	case schema && slices.Contains(schemaMaps, m.Name) && m.Value.Is(rawjson.Object):
		// Its names are names of properties, not keywords.
		all := slices.Clone(m.Value.Members)
		slices.SortStableFunc(all, func(a, b rawjson.Member) int { return strings.Compare(a.Name, b.Name) })
		b.WriteByte('{')
		for i, p := range all {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(encoded(p.Name) + ":")
			write(b, p.Value, true)
		}
		b.WriteByte('}')
	case schema && slices.Contains([]string{"required", "enum", "type"}, m.Name) && m.Value.Is(rawjson.Array):
		var set []string
		for _, item := range m.Value.Items {
			set = append(set, canonical(item, false))
		}
		slices.Sort(set)
		b.WriteString("[" + strings.Join(slices.Compact(set), ",") + "]")
	default:
		write(b, m.Value, schema && (slices.Contains(schemaLists, m.Name) || slices.Contains(schemaOnes, m.Name)))
	}
}

func encoded(text string) string {
	b, _ := json.Marshal(text) // a string always encodes
	return string(b)
}

// Fingerprint is a tool's definition in one word: the same for definitions that say
// the same. With outputs its output schema belongs to it.
func Fingerprint(t *conform.Tooling, outputs bool) string {
	text := `{"description":` + encoded(description(t)) + `,"inputSchema":` + canonical(t.InputSchema, true) + `,"name":` + encoded(t.Name)
	if outputs {
		text += `,"outputSchema":` + canonical(t.OutputSchema, true)
	}
	sum := sha256.Sum256([]byte(text + "}"))
	return "sha256:" + hex.EncodeToString(sum[:])
}
