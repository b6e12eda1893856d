package platforms

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/discover"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// everyAnswer looks at each recorded answer that has a result. One tool's hit is told
// once, with how often.
func everyAnswer(s *Subject, each func(a *Answer, r *contract.Answer, hit func(path, got string)) bool) (seen sight) {
	if len(s.Answers) == 0 {
		return lacking(noAnswers)
	}
	often := map[[2]string]int{}
	for i := range s.Answers {
		a := &s.Answers[i]
		if a.Result == nil {
			continue
		}
		read := contract.Read(a.Result, contract.Options{Tool: a.Tool})
		looked := each(a, read, func(path, got string) {
			key := [2]string{a.Tool, path}
			if often[key]++; often[key] > 1 {
				return
			}
			if a.Call != "" {
				got += " (call " + a.Call + ")"
			}
			seen.hit(a.Tool, path, got)
		})
		if looked {
			seen.of++
		}
	}
	for i := range seen.hits {
		if n := often[[2]string{seen.hits[i].tool, seen.hits[i].path}]; n > 1 {
			seen.hits[i].got += fmt.Sprintf("; %d answers are so, this is the first", n)
		}
	}
	return seen
}

// plainRows gives the rows of an answer that has results[] at its first level, all
// with a readable flag.
func plainRows(r *contract.Answer) (succeeded, failed int, ok bool) {
	if r.List == nil || !r.List.Is(rawjson.Array) || r.Payload.Get("results") != r.List || len(r.Rows) == 0 {
		return 0, 0, false
	}
	readable, succeeded, failed := r.Count()
	return succeeded, failed, readable == len(r.Rows) && readable == len(r.List.Items)
}

func summaryTrue(s *Subject, _ with) sight {
	return everyAnswer(s, func(_ *Answer, r *contract.Answer, hit func(path, got string)) bool {
		succeeded, failed, ok := plainRows(r)
		if !ok {
			return false
		}
		looked := false
		for _, f := range []struct {
			name string
			want int
		}{{"total", succeeded + failed}, {"succeeded", succeeded}, {"failed", failed}} {
			text, is := r.Payload.Get(f.name).Literal()
			if !is {
				continue
			}
			looked = true
			if v, err := strconv.ParseFloat(text, 64); err != nil || v != float64(f.want) {
				hit(f.name, fmt.Sprintf("%s is %s, and the rows say %d", quoted(f.name), rawjson.Cut(text, 40), f.want))
			}
		}
		want := "PARTIAL_SUCCESS"
		switch {
		case failed == 0:
			want = "SUCCESS"
		case succeeded == 0:
			want = "FAILED"
		}
		if status, is := r.Payload.Get("status").Str(); is && slices.Contains([]string{"SUCCESS", "PARTIAL_SUCCESS", "FAILED"}, strings.ToUpper(status)) {
			looked = true
			if strings.ToUpper(status) != want {
				hit("status", fmt.Sprintf("`status` is %s, and of the rows %d succeeded and %d failed: %s", status, succeeded, failed, want))
			}
		}
		if all, is := r.Payload.Get("all_succeeded").Bool(); is {
			looked = true
			if all != (failed == 0) {
				hit("all_succeeded", fmt.Sprintf("`all_succeeded` is %t, and %d of the rows failed", all, failed))
			}
		}
		return looked
	})
}

// summarySent looks for the summary in the answers themselves.
func summarySent(s *Subject, _ with) sight {
	return everyAnswer(s, func(_ *Answer, r *contract.Answer, hit func(path, got string)) bool {
		if r.List == nil || r.Payload.Get("results") != r.List {
			return false
		}
		var fields []string
		for _, m := range members(r.Payload) {
			if m.Value.Is(rawjson.String) || m.Value.Is(rawjson.Number) || m.Value.Is(rawjson.Bool) {
				fields = append(fields, m.Name)
			}
		}
		if !summed(fields) {
			hit("results", "the answer has `results` and no summary beside it")
		}
		return true
	})
}

// resultsDeep finds rows of a batch below the first level, wherever they are: more
// places than the contract reads them at.
func resultsDeep(s *Subject, _ with) sight {
	return everyAnswer(s, func(_ *Answer, r *contract.Answer, hit func(path, got string)) bool {
		if r.Payload.Get("results").Is(rawjson.Array) {
			return true
		}
		found := false
		r.Payload.Walk(func(n *rawjson.Node) bool {
			row := n.First()
			if !found && n.Name() == "results" && n.Is(rawjson.Array) && (row.Get("success").Is(rawjson.Bool) || row.Get("ok").Is(rawjson.Bool)) {
				found = true
				at, _ := r.Where(n)
				hit(at, "`results` is below the first level, at "+rawjson.Cut(at, 80))
			}
			return !found
		})
		return found
	})
}

// fieldTypes looks whether first-level values are of the types that the schema declares.
func fieldTypes(s *Subject, _ with) sight {
	return everyAnswer(s, func(a *Answer, r *contract.Answer, hit func(path, got string)) bool {
		t := s.tool(a.Tool)
		if t == nil || t.OutputSchema == nil || !r.Structured.Is(rawjson.Object) || r.IsError {
			return false
		}
		root, _ := resolve(t.OutputSchema, t.OutputSchema)
		for _, m := range members(root.Get("properties")) {
			p, ok := resolve(t.OutputSchema, m.Value)
			want, one := p.Get("type").Str()
			got := r.Structured.Get(m.Name)
			if ok && one && got != nil && !is(got, want) {
				hit(m.Name, fmt.Sprintf("%s is %s, and the schema says %s", quoted(m.Name), got.Kind.Article(), rawjson.Cut(want, 20)))
			}
		}
		return true
	})
}

// is tells whether a value is of a JSON Schema type.
func is(n *rawjson.Node, typ string) bool {
	switch typ {
	case "string":
		return n.Is(rawjson.String)
	case "boolean":
		return n.Is(rawjson.Bool)
	case "number":
		return n.Is(rawjson.Number)
	case "integer":
		text, number := n.Literal()
		v, err := strconv.ParseFloat(text, 64)
		return number && err == nil && v == float64(int64(v))
	case "array":
		return n.Is(rawjson.Array)
	case "object":
		return n.Is(rawjson.Object)
	case "null":
		return n.Is(rawjson.Null)
	}
	return true // no type that JSON Schema knows: the protocol's rules speak of it
}

// undeclared finds members of an answer that the schema does not know.
func undeclared(s *Subject, _ with) sight {
	return everyAnswer(s, func(a *Answer, r *contract.Answer, hit func(path, got string)) bool {
		t := s.tool(a.Tool)
		if t == nil || t.OutputSchema == nil || !r.Structured.Is(rawjson.Object) || r.IsError {
			return false
		}
		root, ok := resolve(t.OutputSchema, t.OutputSchema)
		properties := root.Get("properties")
		if !ok || operator(root) != "" || properties == nil {
			return false
		}
		var more []string
		for _, m := range r.Structured.Members {
			if !properties.Has(m.Name) {
				more = append(more, m.Name)
			}
		}
		if len(more) > 0 {
			hit("structuredContent", "not in outputSchema: "+names(more))
		}
		return true
	})
}

// content gives the types of an answer's blocks.
func content(a *Answer) []string {
	var all []string
	if list := a.Result.Get("content"); list != nil {
		for _, block := range list.Items {
			typ, _ := block.Get("type").Str()
			all = append(all, typ)
		}
	}
	return all
}

func linksOnly(s *Subject, _ with) sight {
	return everyAnswer(s, func(a *Answer, r *contract.Answer, hit func(path, got string)) bool {
		types := content(a)
		if len(types) > 0 && r.Structured == nil && !slices.ContainsFunc(types, func(t string) bool { return t != "resource_link" && t != "resource" }) {
			hit("content", "the answer holds nothing but "+names(slices.Compact(slices.Sorted(slices.Values(types)))))
		}
		return true
	})
}

func noContent(s *Subject, w with) sight {
	return everyAnswer(s, func(a *Answer, _ *contract.Answer, hit func(path, got string)) bool {
		for _, typ := range content(a) {
			if slices.Contains(w.words, typ) {
				hit("content", "a block of type "+quoted(typ))
				break
			}
		}
		return true
	})
}

// textMirrors looks whether a text block carries what structuredContent does.
func textMirrors(s *Subject, _ with) sight {
	return everyAnswer(s, func(_ *Answer, r *contract.Answer, hit func(path, got string)) bool {
		if r.Structured == nil {
			return false
		}
		for _, text := range r.Texts {
			if text.JSON != nil && same(text.JSON, r.Structured) {
				return true
			}
		}
		got := "no text block holds the JSON that structuredContent holds"
		if len(r.Texts) == 0 {
			got = "there is no text block"
		}
		hit("content", got)
		return true
	})
}

// same compares two JSON values, members in any order.
func same(a, b *rawjson.Node) bool { return canonical(a, false) == canonical(b, false) }

func errorResults(s *Subject, _ with) sight {
	return everyAnswer(s, func(_ *Answer, r *contract.Answer, hit func(path, got string)) bool {
		if !r.IsError {
			return true
		}
		if r.List == nil || r.Structured == nil || !r.List.Is(rawjson.Array) {
			return true
		}
		for _, text := range r.Texts {
			if text.JSON != nil && same(text.JSON, r.Structured) {
				return true // the text of the exception carries the rows
			}
		}
		hit("isError", fmt.Sprintf("isError is true, and the %s stand in structuredContent only", amount(len(r.Rows), "row")))
		return true
	})
}

func partialError(s *Subject, _ with) sight {
	return everyAnswer(s, func(_ *Answer, r *contract.Answer, hit func(path, got string)) bool {
		if r.List == nil {
			return false
		}
		_, succeeded, failed := r.Count()
		if r.IsError && succeeded > 0 {
			hit("isError", fmt.Sprintf("isError is true, and %d of %d rows succeeded", succeeded, succeeded+failed))
		}
		return true
	})
}

func errorText(s *Subject, _ with) sight {
	return everyAnswer(s, func(a *Answer, r *contract.Answer, hit func(path, got string)) bool {
		if r.IsError && !slices.Contains(content(a), "text") {
			hit("content", "isError is true, and no text block says why")
		}
		return true
	})
}

// errorOnly finds failures that are told as success.
func errorOnly(s *Subject, _ with) sight {
	return everyAnswer(s, func(_ *Answer, r *contract.Answer, hit func(path, got string)) bool {
		if !r.IsError && r.List == nil && !r.Payload.Get("error").Empty() {
			if ok, said := r.Payload.Get("ok").Bool(); said && ok {
				return true
			}
			hit("error", "an `error` and no `results`, and isError is not true: "+r.Payload.Get("error").Excerpt(60))
		}
		return true
	})
}

// wrapped finds a wrapper's own success that contradicts the rows within.
func wrapped(s *Subject, _ with) sight {
	return everyAnswer(s, func(_ *Answer, r *contract.Answer, hit func(path, got string)) bool {
		outer, said := r.Payload.Get("success").Bool()
		inner := r.Payload.At("response", "results")
		if !said || !inner.Is(rawjson.Array) {
			return true
		}
		for _, row := range inner.Items {
			done, flagged := row.Get("success").Bool()
			if !flagged {
				done, flagged = row.Get("ok").Bool()
			}
			if flagged && outer && !done {
				hit("success", "the wrapper says success: true, and a row under response.results says it failed")
				break
			}
		}
		return true
	})
}

// charactersPerToken is a rule of thumb: what a token is differs from model to model.
const charactersPerToken = 4

// usual is how many items people ask for at once, and few ask for more: an answer that
// is too large for more than these is no loss.
const usual = 25

// answerSize measures answers: characters or tokens of text, or bytes. With forbid it
// looks at failures only, else at all.
func answerSize(s *Subject, w with) (seen sight) {
	if len(s.Answers) == 0 {
		return lacking(noAnswers)
	}
	worst := map[string]int{}
	over := map[string]hit{}
	for i := range s.Answers {
		a := &s.Answers[i]
		failed, _ := a.Result.Get("isError").Bool()
		if a.Result == nil || w.forbid && !failed {
			continue
		}
		seen.of++
		size, unit := textLength(a.Result), "characters of text"
		switch w.unit {
		case "tokens":
			size, unit = (size+charactersPerToken-1)/charactersPerToken, "tokens by estimate (characters / 4)"
		case "bytes":
			size, unit = len(a.Result.Raw), "bytes"
		}
		if size <= w.most && (w.warn == 0 || size <= w.warn) || size <= worst[a.Tool] {
			continue
		}
		worst[a.Tool] = size
		h := hit{tool: a.Tool, path: "content", got: fmt.Sprintf("%d %s", size, unit)}
		limit := w.most
		if size <= w.most {
			h.severity, limit = conform.Warning, w.warn
		}
		if a.Items > 1 {
			fit := limit * a.Items / size
			h.got += fmt.Sprintf(" for %d items; at that size about %d items fit into %d", a.Items, fit, limit)
			switch { // it is the batch that is too large, and not the tool
			case fit >= usual:
				h.severity = conform.Info
			case fit > 1:
				h.severity = conform.Warning
			}
		}
		over[a.Tool] = h
	}
	for _, t := range s.Tools {
		if h, is := over[t.Name]; is {
			seen.hits = append(seen.hits, h)
		}
	}
	return seen
}

func textLength(result *rawjson.Node) int {
	n := 0
	if list := result.Get("content"); list != nil {
		for _, block := range list.Items {
			text, _ := block.Get("text").Str()
			n += utf8.RuneCountInString(text)
		}
	}
	if n == 0 {
		if whole := result.Get("structuredContent"); whole != nil {
			n = utf8.RuneCount(whole.Raw)
		}
	}
	return n
}

// batchStated looks whether a tool that takes several items says how many.
func batchStated(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		argument := several(t)
		if argument == nil {
			return
		}
		seen.of++
		if !argument.Has("maxItems") {
			seen.hit(t.Name, within("inputSchema", t.InputSchema, argument), "no `maxItems`: nobody knows how long an answer can get")
		}
	})
}

// several gives the schema of the list by which a tool takes several items; nil if
// it takes none so.
func several(t *conform.Tooling) *rawjson.Node {
	takes := discover.Several(t)
	if takes.Argument == "" || takes.Scalar() || takes.Inside != "" || takes.Doubt != "" {
		return nil
	}
	return t.InputSchema.At("properties", takes.Argument)
}
