package target

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds on a target file. They are far beyond any real one and keep a hostile
// one from using up memory or the stack.
const (
	MaxFile  = 1 << 20 // bytes
	maxDepth = 64      // values inside values
)

// readYAML reads the one document of a file. Anchors, aliases, tags and merge
// keys are refused: a person who reads a line must see what it says.
func readYAML(file string, src []byte) (root *node, err error) {
	at := func(line, column int, what, mend string) error {
		return &Error{File: file, Line: line, Column: column, What: what, Mend: mend}
	}
	if len(src) > MaxFile {
		return nil, at(0, 0, fmt.Sprintf("the file is larger than %d bytes", MaxFile), "use templates with `count` for many items")
	}
	if !utf8.Valid(src) {
		line, column := badUTF8(src)
		return nil, at(line, column, "the file is not UTF-8 here", "save it as UTF-8")
	}
	// The YAML library is foreign code reading foreign bytes: a panic in it is an error of the file.
	defer func() {
		if broken := recover(); broken != nil {
			root, err = nil, at(0, 0, "the file cannot be read as YAML", "look for brackets and quotes that are not closed")
		}
	}()
	tokens := lexer.Tokenize(string(src))
	if e := guard(file, tokens); e != nil {
		return nil, e
	}
	parsed, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var told yaml.Error
		if errors.As(err, &told) {
			line, column := place(told.GetToken())
			mend := "mend the line, or the one before it"
			if bareVariable.MatchString(lineOf(src, line)) {
				mend = `between braces, put ${NAME} in quotes: "${NAME}"`
			}
			return nil, at(line, column, "this is not YAML: "+told.GetMessage(), mend)
		}
		return nil, at(0, 0, "this is not YAML: "+err.Error(), "")
	}
	c := converter{file: file}
	for _, doc := range parsed.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		body := c.value(doc.Body, nil)
		if root != nil {
			return nil, at(body.line, body.column, "a second document begins here", "keep one target to a file")
		}
		root = body
	}
	if root == nil {
		return nil, at(1, 1, "the file says nothing", "begin with `version: 1`")
	}
	return root, join(c.errs)
}

// bareVariable finds a variable without quotes after a brace: YAML takes its own
// braces for a mapping's.
var bareVariable = regexp.MustCompile(`\{.*[:,]\s*\$\{\w+\}`)

func lineOf(src []byte, number int) string {
	for line := range strings.Lines(string(src)) {
		if number--; number == 0 {
			return line
		}
	}
	return ""
}

// guard refuses, before parsing, what a target file may not use and what would
// nest too deep.
func guard(file string, tokens token.Tokens) error {
	depth, line, onLine := 0, 0, 0
	for _, t := range tokens {
		row, column := place(t)
		fail := func(what, mend string) error {
			return &Error{File: file, Line: row, Column: column, What: what, Mend: mend}
		}
		switch t.Type {
		case token.AnchorType, token.AliasType:
			return fail("anchors (&) and aliases (*) are not read", "write the value out, or put it in quotes")
		case token.TagType:
			return fail("tags (!) are not read", "leave the tag out, or put the value in quotes")
		case token.MergeKeyType:
			return fail("merge keys (<<) are not read", "write the keys out")
		case token.DirectiveType:
			return fail("directives (%) are not read", "leave the line out")
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if row != line {
				line, onLine = row, 0
			}
			if depth == 0 {
				onLine++
			}
		}
		if depth > maxDepth || onLine > maxDepth {
			return fail(fmt.Sprintf("nested deeper than %d levels", maxDepth), "keep items flatter")
		}
	}
	return nil
}

func place(t *token.Token) (line, column int) {
	if t == nil || t.Position == nil {
		return 0, 0
	}
	return t.Position.Line, t.Position.Column
}

func badUTF8(src []byte) (line, column int) {
	line, column = 1, 1
	for len(src) > 0 {
		r, size := utf8.DecodeRune(src)
		if r == utf8.RuneError && size <= 1 {
			break
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
		src = src[size:]
	}
	return line, column
}

// converter turns the library's tree into ours.
type converter struct {
	file  string
	errs  []*Error
	depth int
}

func (c *converter) fail(t *token.Token, what, mend string) {
	line, column := place(t)
	c.errs = append(c.errs, &Error{File: c.file, Line: line, Column: column, What: what, Mend: mend})
}

// value converts one value; at is where an absent one would stand.
func (c *converter) value(n ast.Node, at *token.Token) *node {
	if n == nil {
		line, column := place(at)
		return &node{file: c.file, line: line, column: column}
	}
	t := n.GetToken()
	line, column := place(t)
	made := &node{file: c.file, line: line, column: column}
	if c.depth++; c.depth > maxDepth {
		if c.depth == maxDepth+1 {
			c.fail(t, fmt.Sprintf("nested deeper than %d levels", maxDepth), "keep items flatter")
		}
		c.depth--
		return made
	}
	defer func() { c.depth-- }()
	switch v := n.(type) {
	case *ast.NullNode:
	case *ast.MappingNode:
		c.mapping(made, v.Values)
		made.flow = v.IsFlowStyle
		if v.IsFlowStyle {
			made.line, made.column = line, column
		}
	case *ast.MappingValueNode:
		c.mapping(made, []*ast.MappingValueNode{v})
	case *ast.SequenceNode:
		made.kind, made.flow = list, v.IsFlowStyle
		for _, item := range v.Values {
			made.items = append(made.items, c.value(item, t))
		}
	case *ast.LiteralNode:
		made.kind, made.text = quoted, v.Value.Value
	case *ast.StringNode:
		made.kind, made.text = plain, v.Value
		if t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType {
			made.kind = quoted
		}
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		made.kind, made.text = plain, t.Value
	default:
		c.fail(t, fmt.Sprintf("a target file has no use for %s here", strings.ToLower(n.Type().YAMLName())), "write a text, a number, a list or a mapping")
	}
	return made
}

func (c *converter) mapping(made *node, values []*ast.MappingValueNode) {
	made.kind = mapping
	first := map[string]int{}
	for i, pair := range values {
		t := pair.Key.GetToken()
		line, column := place(t)
		if i == 0 {
			made.line, made.column = line, column
		}
		key, ok := c.key(pair.Key)
		if !ok {
			continue
		}
		if before, again := first[key]; again {
			c.fail(t, fmt.Sprintf("`%s` is said twice, first in line %d", printable(key), before), "keep one of them")
			continue
		}
		first[key] = line
		made.entries = append(made.entries, entry{key: key, file: c.file, line: line, column: column, value: c.value(pair.Value, t)})
	}
}

func (c *converter) key(k ast.MapKeyNode) (string, bool) {
	t := k.GetToken()
	switch v := k.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		return t.Value, true
	}
	c.fail(t, "this is no plain key", "write `key: value`")
	return "", false
}
