package target

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// MaxItemsFile bounds the bytes of a file of items.
const MaxItemsFile = 64 << 20

// itemsFile reads the items of a file beside the target file: CSV, whose first
// line names the members, or JSON Lines, an item a line.
func (r *reader) itemsFile(truth conform.Truth, style conform.Style, n *node) []conform.Item {
	before := len(r.errs)
	name := path.Clean(r.word("file", n))
	if len(r.errs) > before {
		return nil
	}
	read := map[string]func(itemsFile, []byte) []conform.Item{".csv": itemsFile.csv, ".jsonl": itemsFile.lines, ".ndjson": itemsFile.lines}[strings.ToLower(path.Ext(name))]
	switch {
	case read == nil:
		r.fail(n, fmt.Sprintf("`file` is %q, which is neither CSV nor JSON Lines", printable(name)), "give a file that ends in .csv or .jsonl")
		return nil
	case !fs.ValidPath(name):
		r.fail(n, fmt.Sprintf("`file` is %q, which is not below the target file's folder", printable(name)), "put it beside the target file, and write its path from there with slashes")
		return nil
	case r.files == nil:
		r.fail(n, "there is no folder that a file of items could be read from", "list the items, or give a template")
		return nil
	}
	src, err := readBounded(r.files, name, MaxItemsFile)
	if err != nil {
		r.fail(n, fmt.Sprintf("the file of items cannot be read: %v", err), "write its path from the target file's folder")
		return nil
	}
	f := itemsFile{reader: r, name: name, truth: truth, style: style}
	if at := rawjson.BadUTF8(src); at >= 0 {
		f.fail(1+bytes.Count(src[:at], []byte("\n")), fmt.Sprintf("byte %d is not UTF-8", at), "save the file as UTF-8")
		return nil
	}
	items := read(f, bytes.TrimPrefix(src, []byte("\ufeff")))
	if len(items) == 0 && len(r.errs) == before {
		f.fail(1, "the file holds no item", "write one item a line")
	}
	if len(items) > MaxItems {
		f.fail(MaxItems+1, fmt.Sprintf("the file holds more than %d items", MaxItems), "keep fewer")
	}
	return items
}

func readBounded(files fs.FS, name string, most int64) ([]byte, error) {
	in, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	src, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(src)) > most {
		err = fmt.Errorf("%s is larger than %d bytes", name, most)
	}
	return src, err
}

// itemsFile is one file of items being read.
type itemsFile struct {
	*reader
	name  string
	truth conform.Truth
	style conform.Style
}

// mostFileErrors is after how many mistakes the rest of a file is not told.
const mostFileErrors = 10

func (f itemsFile) fail(line int, what, mend string) {
	f.errs = append(f.errs, &Error{File: f.name, Line: line, Column: 1, What: what, Mend: mend})
}

// csv reads a table: each line is an object of texts, an empty cell leaves its
// member out. With the one column `item` each line is a text. A column `because`
// of bad items is the reason.
func (f itemsFile) csv(src []byte) []conform.Item {
	table := csv.NewReader(bytes.NewReader(src))
	head, err := table.Read()
	if err != nil {
		f.mistake(err)
		return nil
	}
	seen := map[string]bool{}
	for _, name := range head {
		if name == "" || seen[name] {
			f.fail(1, fmt.Sprintf("the first line, which names the members, has %q %s", printable(name), map[bool]string{true: "twice", false: "for a name"}[seen[name]]),
				"name each column once")
			return nil
		}
		seen[name] = true
	}
	bare := seen["item"] && (len(head) == 1 || len(head) == 2 && seen["because"] && f.truth == conform.Bad)
	if f.style == conform.StyleScalar && !bare {
		f.fail(1, "with `style: scalar` an item is a text", "call the column `item`, or give JSON Lines of {\"given\": TEXT, \"means\": ITEM}")
		return nil
	}
	var items []conform.Item
	for begun := len(f.errs); len(f.errs) < begun+mostFileErrors; {
		cells, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f.mistake(err)
			continue
		}
		made := conform.Item{Truth: f.truth}
		members := []byte{'{'}
		for i, cell := range cells {
			switch {
			case head[i] == "because" && f.truth == conform.Bad:
				made.Because = cell
			case cell == "":
			case bare:
				made.Given = appendString(nil, cell)
			default:
				if len(members) > 1 {
					members = append(members, ',')
				}
				members = append(appendString(members, head[i]), ':')
				members = appendString(members, cell)
			}
		}
		if !bare {
			made.Given = append(members, '}')
		}
		if len(made.Given) == 0 || string(made.Given) == "{}" {
			line, _ := table.FieldPos(0)
			f.fail(line, "an item is empty", "fill a cell, or take the line out")
			continue
		}
		items = append(items, made)
	}
	return items
}

func (f itemsFile) mistake(err error) {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		f.fail(wrong.Line, "this is no CSV: "+wrong.Err.Error(), "give every line as many cells as the first, and put texts with commas or quotes in quotes")
		return
	}
	if errors.Is(err, io.EOF) {
		return // an empty file: the caller says so
	}
	f.fail(1, err.Error(), "write CSV")
}

// lines reads JSON Lines: an item a line, in the forms that a target file has
// for it. What is sent are the bytes of the line.
func (f itemsFile) lines(src []byte) []conform.Item {
	var items []conform.Item
	begun, number := len(f.errs), 0
	for line := range bytes.Lines(src) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if len(f.errs) >= begun+mostFileErrors {
			break
		}
		value, err := rawjson.Parse(line)
		if err != nil {
			f.fail(number, "this is no JSON: "+err.Error(), "write one JSON value a line")
			continue
		}
		made := conform.Item{Truth: f.truth}
		if f.truth == conform.Bad && value.Has("item") && onlyMembers(value, "item", "because") {
			made.Because, _ = value.Get("because").Str()
			value = value.Get("item")
		}
		if value.Has("given") && onlyMembers(value, "given", "means") {
			if means := value.Get("means"); means != nil {
				made.Means = bytes.Clone(means.Raw)
			}
			value = value.Get("given")
		}
		made.Given = bytes.Clone(value.Raw)
		switch {
		case value.Is(rawjson.Null), value.Is(rawjson.Array), value.Is(rawjson.Bool):
			f.fail(number, "an item is "+value.Kind.Article(), "write a text, a number or an object")
			continue
		case f.style == conform.StyleScalar && !value.Is(rawjson.String):
			f.fail(number, "with `style: scalar` an item is a text, and this is "+value.Kind.Article(), `write {"given": TEXT, "means": ITEM}`)
			continue
		}
		items = append(items, made)
	}
	return items
}

func onlyMembers(n *rawjson.Node, names ...string) bool {
	for _, m := range n.Members {
		known := false
		for _, name := range names {
			known = known || m.Name == name
		}
		if !known {
			return false
		}
	}
	return true
}
