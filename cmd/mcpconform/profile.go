package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/suites/platforms"
	"github.com/mcpconform/mcpconform/target"
)

// profileFlags are what `profile` takes.
type profileFlags struct {
	target     targetFlags
	output     outputFlags
	wait       time.Duration
	all, list  bool
	from       string
	serverName string
	data       []string
	allowed    string
	snapshot   string
	beside     []string
	unproven   bool
	without    []string
	strict     bool
	export     string
	form       string
	overrides  []string
	told       []string
	tools      string
	policies   string
}

func newProfile(w world) *cobra.Command {
	var f profileFlags
	cmd := &cobra.Command{
		Use:   "profile PLATFORM [--target FILE | --url URL | -- CMD ARG... | --from FILE]",
		Short: "What of a server works on a client platform, by which rules; exports for the platform",
		Long: `profile says which of a server's tools work on a client platform: whole, partly or
not, by which rules, each with its source and the day on which that was read. It
calls nothing but list methods. What only answers can show is judged from a
transcript (run --transcript FILE, then profile --from FILE).

PLATFORM is a name, or several with commas between; --all takes every one, and
shows a matrix. --list shows them. Rules that stand on other people's word or on
our own conclusion are info, and so is a rule whose source was last read more than
180 days ago.

Exit status: 0 no error; 1 an error (with --strict also a warning); 2 a wrong word;
4 the server could not be reached.`,
		Example: `  mcpconform profile agentforce
  mcpconform profile --all --url http://127.0.0.1:8080/mcp --format markdown
  mcpconform profile cursor,claude-code --server-name accounts -- node dist/server.js
  mcpconform profile oracle-aidp --export allowed-tools --target accounts.yaml > allowed.json
  mcpconform profile oracle-aidp --allowed-tools allowed.json --target accounts.yaml
  mcpconform profile langchain --from run.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return profileMain(cmd, args, f, w) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.target.file, "target", "", "the target `FILE` that says where the server is (builtin:NAME reads one that is built in)")
	flags.StringVar(&f.target.env, "env", "", "one of the target file's environments, by `NAME`")
	flags.StringVar(&f.target.url, "url", "", "the server's `URL`; beside --target it replaces the file's server")
	f.target.declareWays(cmd)
	flags.DurationVar(&f.wait, "wait", 0, "wait so long for a server at a URL to take connections")
	flags.BoolVar(&f.all, "all", false, "judge by every platform")
	flags.BoolVar(&f.list, "list", false, "list the platforms and their rules, and call nothing")
	flags.StringVar(&f.from, "from", "", "judge a `FILE` in place of a server: a transcript, a report, or the result of tools/list")
	flags.StringVar(&f.serverName, "server-name", "", "the `NAME` that the server has in the client's configuration; some clients put it before those of tools")
	flags.StringArrayVar(&f.data, "data", nil, "read further or newer platform data from `FILE` (YAML; repeatable)")
	flags.StringVar(&f.allowed, "allowed-tools", "", "compare an allow-list of the platform's, `FILE`, with the server")
	flags.StringVar(&f.snapshot, "snapshot", "", "compare with the listing as it was when the server was registered, `FILE`: the result of tools/list")
	flags.StringArrayVar(&f.beside, "beside", nil, "the listing of a further server that the same client has, `FILE` (repeatable)")
	flags.BoolVar(&f.unproven, "include-unproven", false, "let rules on other people's word, and on our own conclusion, weigh what they say")
	flags.StringSliceVar(&f.without, "no-rule", nil, "leave out the rule `ID` (repeatable)")
	flags.BoolVar(&f.strict, "strict", false, "a warning is exit 1 too")
	flags.StringVar(&f.export, "export", "", "write `WHAT` in place of a profile: "+exportWords)
	flags.StringVar(&f.form, "form", "json", "of allowed-tools: json, python, or node (experimental)")
	flags.StringArrayVar(&f.overrides, "override", nil, "of allowed-tools: set a parameter, `TOOL.PARAMETER=VALUE` (repeatable)")
	flags.StringArrayVar(&f.told, "instruction", nil, "of allowed-tools: what the agent reads in place of a description, `TOOL=TEXT` or TOOL=@FILE (repeatable)")
	flags.StringVar(&f.tools, "tools", "", "of agent-platform-oci: lint its configuration, `FILE` (tools.yaml), against the server")
	flags.StringVar(&f.policies, "policies", "", "of agent-platform-oci: its policies, `FILE` (tool_policies.yaml)")
	flags.StringVar(&f.output.format, "format", "text", "what stdout gets: "+strings.Join(profileFormats, ", "))
	flags.StringArrayVar(&f.output.files, "output", nil, "also write the profile to a file, `FORMAT=FILE` (repeatable)")
	flags.BoolVar(&f.output.noColor, "no-color", false, "no colour (NO_COLOR is respected too)")
	return cmd
}

func profileMain(cmd *cobra.Command, args []string, f profileFlags, w world) error {
	data, err := f.platformData()
	if err != nil {
		return err
	}
	words, command := args, []string(nil)
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		words, command = args[:dash], args[dash:]
	}
	if f.list {
		if len(words) > 0 {
			return usage(fmt.Errorf("--list takes no platform, and got %q", words[0]), "`mcpconform explain ID` tells one rule")
		}
		return listPlatforms(w, data, f.output.format)
	}
	chosen, err := f.choose(words, data)
	if err != nil {
		return err
	}
	if err := f.fits(chosen, len(command) > 0); err != nil {
		return err
	}
	out, err := f.open(w)
	if err != nil {
		return err
	}
	s, name, err := f.subject(cmd, command, w)
	if err != nil {
		return err
	}
	if err := f.besides(s); err != nil {
		return err
	}
	if f.export != "" {
		return f.exported(w, chosen[0], s, command)
	}
	ps := reports.Profiles{Schema: reports.ProfilesSchema, Tool: conform.Tool{Version: version()}, Target: name, Data: data.Digest(), Verified: data.Verified().Format(time.DateOnly)}
	for _, p := range chosen {
		ps.Profiles = append(ps.Profiles, data.Judge(p, s, platforms.Options{Now: w.today(), Unproven: f.unproven, Without: f.without}))
	}
	ps.Opposed = data.Opposed(ps.Profiles)
	if err := out.write(ps); err != nil {
		return err
	}
	least := conform.Error
	if f.strict {
		least = conform.Warning
	}
	if slices.ContainsFunc(ps.Profiles, func(p conform.Profile) bool { return platforms.Failed(p, least) }) {
		return &exitError{code: reports.ExitNonconformant}
	}
	return nil
}

// platformData gives the platforms that come with the tool, and those of --data.
func (f profileFlags) platformData() (*platforms.Data, error) {
	data, err := platforms.Builtin()
	if err != nil {
		return nil, &exitError{code: exitInternal, cause: fmt.Errorf("reading the built-in platforms: %w", err)}
	}
	for _, path := range f.data {
		text, err := readSmall("--data", path)
		if err != nil {
			return nil, err
		}
		if data, err = data.With(path, text); err != nil {
			return nil, usage(err, "docs/profiles.md has the format")
		}
	}
	for _, id := range f.without {
		if _, rule := data.Rule(id); rule == nil {
			return nil, usage(fmt.Errorf("--no-rule %q is no rule of a platform", id), "`mcpconform profile --list` shows them all")
		}
	}
	return data, nil
}

// choose gives the platforms that are meant.
func (f profileFlags) choose(words []string, data *platforms.Data) (chosen []*platforms.Platform, err error) {
	var names []string
	for _, p := range data.Platforms {
		names = append(names, p.Name)
	}
	hint := "there are " + strings.Join(names, ", ")
	switch {
	case f.all && len(words) > 0:
		return nil, usage(fmt.Errorf("--all is given, and a platform too: %q", words[0]), "leave one out")
	case f.all:
		return data.Platforms, nil
	case len(words) == 0:
		return nil, usage(errors.New("no platform was named"), hint+"; --all takes every one")
	case len(words) > 1:
		return nil, usage(fmt.Errorf("profile takes one word, and got %d", len(words)), "several platforms have commas between them: profile cursor,vscode; a command stands after --")
	}
	for name := range strings.SplitSeq(words[0], ",") {
		p := data.Find(strings.TrimSpace(name))
		if p == nil {
			return nil, usage(fmt.Errorf("there is no platform %q", name), hint)
		}
		if !slices.Contains(chosen, p) {
			chosen = append(chosen, p)
		}
	}
	return chosen, nil
}

// fits says which flags do not go together.
func (f profileFlags) fits(chosen []*platforms.Platform, command bool) error {
	oci := slices.ContainsFunc(chosen, func(p *platforms.Platform) bool { return p.Name == agentPlatform })
	switch {
	case f.policies != "" && f.tools == "":
		return usage(errors.New("--policies is given without --tools"), "policies are about the tools of a tools.yaml")
	case f.tools != "" && !oci:
		return usage(errors.New("--tools belongs to agent-platform-oci"), "")
	case f.tools != "" && f.from == "" && f.target.file == "" && f.target.url == "" && !command:
		return usage(errors.New("--tools is given without the server whose tools it configures"), "name it with --target FILE, --url URL or -- CMD, or give its listing with --from FILE")
	case f.from != "" && (f.target.file != "" || f.target.url != ""):
		return usage(errors.New("--from is given, and a server too"), "leave one out")
	case f.export == "" && (len(f.overrides) > 0 || len(f.told) > 0 || f.form != "json"):
		return usage(errors.New("--override, --instruction and --form belong to --export allowed-tools"), "")
	case f.export != "" && len(chosen) != 1:
		return usage(errors.New("--export takes one platform"), "for example: mcpconform profile oracle-aidp --export allowed-tools")
	case f.export == "":
		return nil
	}
	return f.exportable(chosen[0])
}

// subject gives the server, or what a file shows of one, and its name.
func (f profileFlags) subject(cmd *cobra.Command, command []string, w world) (*platforms.Subject, string, error) {
	if f.from != "" {
		if len(command) > 0 {
			return nil, "", usage(errors.New("--from is given, and a command too"), "leave one out")
		}
		s, err := readSubject(f.from)
		return s, f.from, err
	}
	if f.wait < 0 {
		return nil, "", usage(fmt.Errorf("--wait %s is negative", f.wait), "write it like 30s or 5m")
	}
	reach, err := f.target.reachBy(cmd, command, w, false)
	if err != nil {
		return nil, "", err
	}
	defer reach.close()
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	rec, err := runner.Listing(ctx, reach.file, runner.Options{Version: version(), Effort: "standard", Wait: f.wait, Started: time.Now(), Selector: reach.selector,
		Builtin: reach.builtin, Secrets: reach.secrets, SecretHeaders: reach.secretHeaders})
	if err != nil {
		return nil, "", planError(ctx, err, reach)
	}
	name, version := rec.ServerInfo()
	if reach.builtin {
		version += ", the built-in demonstration backend, not your server"
	}
	return platforms.Of(rec, reach.file.Server.URL), strings.TrimSpace(name + " " + version), nil
}

// chooseProfiles gives a run the platforms of --profile.
func (f runFlags) chooseProfiles(o *runner.Options) error {
	if len(f.profiles) == 0 {
		if f.gate || f.server != "" {
			return usage(errors.New("--gate-profile and --server-name belong to --profile"), "for example --profile agentforce --gate-profile")
		}
		return nil
	}
	pf := profileFlags{serverName: f.server}
	data, err := pf.platformData()
	if err != nil {
		return err
	}
	chosen, err := pf.choose([]string{strings.Join(f.profiles, ",")}, data)
	if err != nil {
		return err
	}
	for _, p := range chosen {
		o.Profiles = append(o.Profiles, p.Name)
	}
	o.ServerName, o.GateProfile = f.server, f.gate
	return nil
}

// playAllowed has a run play what --allowed-tools lets a client call.
func (f runFlags) playAllowed(reach *reached, opts *runner.Options) error {
	if f.allowed == "" {
		return nil
	}
	text, err := readSmall("--allowed-tools", f.allowed)
	if err != nil {
		return err
	}
	list, err := platforms.ReadAllowList(f.allowed, text)
	if err != nil {
		return usage(err, "")
	}
	var played []*target.Operation
	for _, o := range reach.file.Operations {
		there, err := list.Plays(&o.Operation)
		if err != nil {
			return usage(fmt.Errorf("%s: %w", f.allowed, err), "")
		}
		if there {
			played = append(played, o)
			continue
		}
		reach.file.Ignore = append(reach.file.Ignore, conform.Ignored{Tool: o.Tool, Because: "it is not in the allow-list " + f.allowed})
	}
	if len(played) == 0 {
		return usage(fmt.Errorf("%s holds no tool of an operation of the target file", f.allowed), "`mcpconform profile oracle-aidp --export allowed-tools` writes one")
	}
	reach.file.Operations = played
	opts.Selector += " --allowed-tools " + conform.ShellWord(f.allowed)
	return nil
}
