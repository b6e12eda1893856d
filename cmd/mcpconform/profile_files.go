package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/suites/agentplatform"
	"github.com/mcpconform/mcpconform/suites/platforms"
)

// mostListing bounds a file that holds a listing, an allow-list or platform data.
const mostListing = 64 << 20

// readSmall reads a file that a flag names.
func readSmall(flag, path string) ([]byte, error) { return readBounded(flag, path, mostListing) }

func readBounded(flag, path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", flag, err), "")
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	switch {
	case err != nil:
		return nil, usage(fmt.Errorf("%s: %w", flag, err), "")
	case int64(len(text)) > most:
		return nil, usage(fmt.Errorf("%s %s: larger than %d bytes", flag, path, most), "")
	}
	return text, nil
}

// readSubject reads what --from names: a transcript, a report, or a listing.
func readSubject(path string) (*platforms.Subject, error) {
	text, err := readBounded("--from", path, runner.MaxFile)
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if json.Unmarshal(line, &head) == nil && head.Schema != "" && head.Schema != reports.SchemaName {
		header, observations, err := conform.ReadTranscript(bytes.NewReader(text))
		if err != nil {
			return nil, usage(fmt.Errorf("%s: %w", path, err), "")
		}
		rec := conform.NewRecording(header, observations)
		if !rec.Listed {
			return nil, usage(fmt.Errorf("%s: the tools were never listed in this recording", path), "record a run that reaches the server")
		}
		return platforms.Of(rec, ""), nil
	}
	if json.Unmarshal(text, &head) == nil && head.Schema == reports.SchemaName {
		r, err := reports.Read(bytes.NewReader(text))
		if err != nil {
			return nil, usage(fmt.Errorf("%s: %w", path, err), "")
		}
		s := &platforms.Subject{NamesOnly: true, Transport: r.Target.Transport, Protocol: r.Target.Protocol}
		for _, t := range r.Scope.Tools {
			s.Tools = append(s.Tools, conform.Tooling{Name: t.Name})
		}
		if len(s.Tools) == 0 {
			return nil, usage(fmt.Errorf("%s: the report names no tools", path), "profile a run that reached the server")
		}
		return s, nil
	}
	s, err := platforms.ReadTools(path, text)
	if err != nil {
		return nil, usage(err, "--from reads a transcript, a report, or the result of tools/list")
	}
	return s, nil
}

// besides adds to a subject what further flags say.
func (f profileFlags) besides(s *platforms.Subject) error {
	if f.serverName != "" {
		s.ServerName = f.serverName
	}
	if f.allowed != "" {
		text, err := readSmall("--allowed-tools", f.allowed)
		if err != nil {
			return err
		}
		if s.Allowed, err = platforms.ReadAllowList(f.allowed, text); err != nil {
			return usage(err, "")
		}
	}
	if f.tools != "" {
		tools, err := readSmall("--tools", f.tools)
		if err != nil {
			return err
		}
		var policies []byte
		if f.policies != "" {
			if policies, err = readSmall("--policies", f.policies); err != nil {
				return err
			}
		}
		if s.Config, err = agentplatform.Read(f.tools, tools, f.policies, policies); err != nil {
			return usage(err, "")
		}
	}
	if f.snapshot != "" {
		text, err := readSmall("--snapshot", f.snapshot)
		if err != nil {
			return err
		}
		before, err := platforms.ReadTools(f.snapshot, text)
		if err != nil {
			return usage(err, "")
		}
		s.Snapshot = before.Tools
	}
	for _, path := range f.beside {
		text, err := readSmall("--beside", path)
		if err != nil {
			return err
		}
		other, err := platforms.ReadTools(path, text)
		if err != nil {
			return usage(err, "")
		}
		if s.Beside == nil {
			s.Beside = map[string][]string{}
		}
		for _, t := range other.Tools {
			s.Beside[path] = append(s.Beside[path], t.Name)
		}
	}
	return nil
}

// profileFormats are those that profiles are written in, the default first.
var profileFormats = []string{"text", "json", "markdown", "html"}

type profileWriter func(io.Writer, reports.Profiles) error

// profileOutput writes profiles to stdout and to files.
type profileOutput struct {
	w     world
	first profileWriter
	files []struct {
		path  string
		write profileWriter
	}
}

func profileFormat(name string, o reports.TextOptions) (profileWriter, error) {
	switch name {
	case "text":
		return reports.ProfilesText(o), nil
	case "json":
		return reports.ProfilesJSON, nil
	case "markdown":
		return reports.ProfilesMarkdown, nil
	case "html":
		return reports.ProfilesHTML, nil
	}
	return nil, fmt.Errorf("format %q is none of %s", name, strings.Join(profileFormats, ", "))
}

// open checks formats and folders before anything is sent to a server.
func (f profileFlags) open(w world) (*profileOutput, error) {
	out := &profileOutput{w: w}
	var err error
	if out.first, err = profileFormat(f.output.format, reports.TextOptions{Colour: f.output.colour(w), Width: width(w.out)}); err != nil {
		return nil, usage(fmt.Errorf("--format: %w", err), "")
	}
	for _, word := range f.output.files {
		name, path, found := strings.Cut(word, "=")
		if !found || path == "" {
			return nil, usage(fmt.Errorf("--output %q is not of the form FORMAT=FILE", word), "for example --output html=platforms.html")
		}
		write, err := profileFormat(name, reports.TextOptions{})
		if err != nil {
			return nil, usage(fmt.Errorf("--output %s: %w", word, err), "")
		}
		if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
			return nil, usage(fmt.Errorf("--output %s: there is no folder %s", word, filepath.Dir(path)), "make it first")
		}
		out.files = append(out.files, struct {
			path  string
			write profileWriter
		}{path, write})
	}
	return out, nil
}

func (o *profileOutput) write(ps reports.Profiles) error {
	if err := o.first(o.w.out, ps); err != nil {
		return &exitError{code: exitInternal, cause: err}
	}
	for _, f := range o.files {
		var b bytes.Buffer
		if err := f.write(&b, ps); err != nil {
			return &exitError{code: exitInternal, cause: err}
		}
		if err := writeWhole(f.path, b.Bytes()); err != nil {
			return &exitError{code: exitInternal, cause: fmt.Errorf("writing %s: %w", f.path, err)}
		}
	}
	return nil
}

// listPlatforms lists the platforms, and their rules.
func listPlatforms(w world, data *platforms.Data, format string) error {
	type rule struct {
		ID       string           `json:"id"`
		Level    conform.Severity `json:"level"`
		Basis    conform.Basis    `json:"basis"`
		Verified string           `json:"verified"`
		Text     string           `json:"text"`
	}
	type platform struct {
		Name  string `json:"platform"`
		Title string `json:"title"`
		About string `json:"about"`
		Rules []rule `json:"rules"`
	}
	var all []platform
	for _, p := range data.Platforms {
		one := platform{p.Name, p.Title, p.About, nil}
		for _, r := range data.RulesOf(p) {
			one.Rules = append(one.Rules, rule{r.ID, r.Level, r.Basis, r.Verified.Format("2006-01-02"), r.Text})
		}
		all = append(all, one)
	}
	switch format {
	case "json":
		return writeJSON(w.out, map[string]any{"data": data.Digest(), "platforms": all})
	case "text":
	default:
		return usage(fmt.Errorf("--format %q: --list writes text or json", format), "")
	}
	fmt.Fprintf(w.out, "Platform data %s, latest source read on %s.\n", data.Digest(), data.Verified().Format("2006-01-02"))
	for _, p := range all {
		fmt.Fprintf(w.out, "\n%s  %s\n%s\n", p.Name, p.Title, wrapped(p.About, "  "))
		var ids []string
		for _, level := range []conform.Severity{conform.Error, conform.Warning, conform.Info} {
			ids = ids[:0]
			for _, r := range p.Rules {
				if r.Level == level && !slices.Contains(ids, r.ID) {
					ids = append(ids, r.ID)
				}
			}
			if len(ids) > 0 {
				fmt.Fprintf(w.out, "%s\n", wrapped(string(level)+": "+strings.Join(ids, ", "), "  "))
			}
		}
	}
	return nil
}
