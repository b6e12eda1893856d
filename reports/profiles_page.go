package reports

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// ProfilesJSON writes profiles as JSON.
func ProfilesJSON(w io.Writer, ps Profiles) error { return EncodeJSON(w, ps, "  ") }

// ProfilesMarkdown writes profiles as one table, tools by platforms, and the rules
// behind it.
func ProfilesMarkdown(w io.Writer, ps Profiles) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Client platforms: %s\n\n", inTable(ps.Target))
	fmt.Fprintf(&b, "Judged by platform data `%s`, latest source read on %s.\n\n", ps.Data, ps.Verified)
	b.WriteString("| tool |")
	for _, pr := range ps.Profiles {
		fmt.Fprintf(&b, " %s |", inTable(pr.Platform))
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(ps.Profiles)) + "\n")
	for _, name := range ps.toolNames() {
		fmt.Fprintf(&b, "| %s |", inTable(name))
		for _, pr := range ps.Profiles {
			t := cell(pr, name)
			fmt.Fprintf(&b, " %s |", inTable(join(": ", string(t.Works), strings.Join(t.Rules, ", "))))
		}
		b.WriteByte('\n')
	}
	b.WriteString("| *rules not judged* |")
	for _, pr := range ps.Profiles {
		fmt.Fprintf(&b, " %d |", unjudged(pr))
	}
	b.WriteByte('\n')
	if behind := behindMatrix(ps); len(behind) > 0 {
		b.WriteString("\n## The rules behind it\n\n| rule | level | says | first met | mend | source | read on |\n|---|---|---|---|---|---|---|\n")
		for _, f := range behind {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s (%s) | %s |\n", f.ID, f.Severity, inTable(f.Text), inTable(join(": ", f.Tool, f.Got)), inTable(f.Mend), inTable(f.Source), f.Basis, f.Verified)
		}
	}
	if len(ps.Opposed) > 0 {
		b.WriteString("\n## Platforms that want opposite things\n\n")
	}
	for _, o := range ps.Opposed {
		fmt.Fprintf(&b, "- %s (%s) against %s\n", o.Rule, inTable(o.Text), inTable(strings.Join(o.Against, ", ")))
	}
	_, err := w.Write(b.Bytes())
	if err != nil {
		return fmt.Errorf("writing the profiles: %w", err)
	}
	return nil
}

// inTable makes a text fit for a cell of a Markdown table: nothing in it is markup.
func inTable(s string) string {
	s = Safe(s)
	var b strings.Builder
	for _, r := range s {
		if r == '<' || r == '&' { // no backslash helps against these everywhere
			b.WriteString(template.HTMLEscapeString(string(r)))
			continue
		}
		if strings.ContainsRune("\\`*_{}[]>()#+!|~$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// profilesPage needs no script and nothing from elsewhere.
var profilesPage = template.Must(template.New("profiles").Funcs(template.FuncMap{
	"safe":     Safe,
	"unjudged": unjudged,
	"join":     func(all []string) string { return Safe(strings.Join(all, ", ")) },
	"kind": func(w conform.Works) string {
		return map[conform.Works]string{conform.WorksWhole: "whole", conform.WorksPartly: "partly", conform.WorksNot: "not", conform.NotJudged: "unknown"}[w]
	},
}).Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Client platforms: {{safe .Target}}</title>
<style>
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;width:100%;margin:1rem 0}.wide{overflow-x:auto}
th,td{border:1px solid #ccc;padding:.35rem .5rem;text-align:left;vertical-align:top}
.whole{background:#e6f4e6}.partly{background:#fdf3d8}.not{background:#fbe3e3}small{color:#444}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}th,td{border-color:#555}.whole{background:#17351a}.partly{background:#3d3212}.not{background:#431d1d}small{color:#bbb}}
</style></head><body>
<h1>Client platforms: {{safe .Target}}</h1>
<p>Judged by platform data <code>{{.Data}}</code>, latest source read on {{.Verified}}.</p>
<div class="wide"><table><thead><tr><th scope="col">tool</th>{{range .Profiles.Profiles}}<th scope="col">{{safe .Title}}</th>{{end}}</tr></thead><tbody>
{{range .Rows}}<tr><th scope="row">{{safe .Name}}</th>{{range .Cells}}<td class="{{kind .Works}}">{{.Works}}{{if .Rules}}<br><small>{{join .Rules}}</small>{{end}}</td>{{end}}</tr>
{{end}}</tbody><tfoot><tr><th scope="row">rules not judged</th>{{range .Profiles.Profiles}}<td>{{unjudged .}}</td>{{end}}</tr></tfoot></table></div>
{{if .Behind}}<h2>The rules behind it</h2>
<div class="wide"><table><thead><tr><th scope="col">rule</th><th scope="col">level</th><th scope="col">says</th><th scope="col">first met</th><th scope="col">mend</th><th scope="col">source</th></tr></thead><tbody>
{{range .Behind}}<tr><th scope="row">{{.ID}}</th><td>{{.Severity}}</td><td>{{safe .Text}}</td><td>{{safe .Tool}} <small>{{safe .Path}}</small><br>{{safe .Got}}</td><td>{{safe .Mend}}</td><td>{{safe .Source}}<br><small>{{.Basis}}, read on {{.Verified}}</small></td></tr>
{{end}}</tbody></table></div>{{end}}
{{if .Opposed}}<h2>Platforms that want opposite things</h2><ul>{{range .Opposed}}<li>{{.Rule}} ({{safe .Text}}) against {{join .Against}}</li>{{end}}</ul>{{end}}
</body></html>
`))

// ProfilesHTML writes profiles as one page.
func ProfilesHTML(w io.Writer, ps Profiles) error {
	type row struct {
		Name  string
		Cells []conform.ProfileTool
	}
	page := struct {
		Profiles
		Rows   []row
		Behind []conform.ProfileFinding
	}{Profiles: ps, Behind: behindMatrix(ps)}
	for _, name := range ps.toolNames() {
		r := row{Name: name}
		for _, pr := range ps.Profiles {
			r.Cells = append(r.Cells, cell(pr, name))
		}
		page.Rows = append(page.Rows, r)
	}
	if err := profilesPage.Execute(w, page); err != nil {
		return fmt.Errorf("writing the profiles: %w", err)
	}
	return nil
}
