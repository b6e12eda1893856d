package platforms

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

//go:embed *.yaml
var embedded embed.FS

// Data is the platforms and their rules.
type Data struct {
	Platforms []*Platform
	digest    string
}

// Platform is one client platform.
type Platform struct {
	Name  string
	Title string
	About string
	Rules []*Rule
	file  string
	like  string // the platform whose rules it begins with
	// levels are the rules of that platform that weigh otherwise here.
	levels map[string]conform.Severity
	// without are rules of that platform that do not hold here.
	without []string
	// also is a platform whose rules are advice here.
	also string
	// Fields is set where the platform maps first-level fields.
	Fields bool
}

// Rule is one thing that a platform asks of a server.
type Rule struct {
	ID       string
	Level    conform.Severity
	Text     string
	Basis    conform.Basis
	Source   string
	Verified time.Time
	Mend     string
	// Against are rules of other platforms that want the opposite.
	Against []string
	// Off is set where the rule is judged only with the unproven ones.
	Off    bool
	Looks  []look
	line   int
	advice string // the platform from whose rules it is taken as advice
}

// look is one function that a rule is judged by, with its figures and words.
type look struct {
	name string
	with with
}

// with are a look's own figures and words.
type with struct {
	of      string
	pattern string
	prefix  string
	unit    string
	depth   string
	most    int
	warn    int
	add     int
	words   []string
	forbid  bool
	typed   bool
}

// Old is how many days after its source was read a rule counts as advice only.
const Old = 180

// old tells whether a rule was verified too long ago.
func (r *Rule) old(now time.Time) bool { return now.Sub(r.Verified) > Old*24*time.Hour }

// Builtin gives the platforms that come with the tool.
func Builtin() (*Data, error) {
	names, err := fs.Glob(embedded, "*.yaml")
	if err != nil {
		return nil, err
	}
	var all []source
	for _, name := range names {
		text, err := embedded.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, source{name, text})
	}
	return read(all, nil)
}

// With gives the data with further platforms, read from files of the user's. A
// platform of the same name takes the place of what was there.
func (d *Data) With(name string, text []byte) (*Data, error) {
	return read([]source{{name, text}}, d)
}

type source struct {
	name string
	text []byte
}

func read(all []source, on *Data) (*Data, error) {
	d := &Data{}
	sum := sha256.New()
	var taken []*Platform
	if on != nil {
		taken = on.Platforms
		fmt.Fprintln(sum, on.digest)
	}
	var errs []error
	for _, s := range all {
		fmt.Fprintf(sum, "%s %d\n", s.name, len(s.text))
		sum.Write(s.text)
		read, err := parse(s.name, s.text)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, p := range read {
			if i := slices.IndexFunc(d.Platforms, func(o *Platform) bool { return o.Name == p.Name }); i >= 0 {
				errs = append(errs, &Error{File: s.name, Line: 1, What: fmt.Sprintf("the platform %s stands in %s already", p.Name, d.Platforms[i].file), Mend: "give it another name"})
				continue
			}
			d.Platforms = append(d.Platforms, p)
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	for _, old := range taken {
		if d.Find(old.Name) == nil {
			d.Platforms = append(d.Platforms, old)
		}
	}
	slices.SortFunc(d.Platforms, func(a, b *Platform) int { return strings.Compare(a.Name, b.Name) })
	d.digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))[:16]
	return d, d.tied()
}

// tied says what names nothing, among what the files name of each other.
func (d *Data) tied() error {
	var errs []error
	for _, p := range d.Platforms {
		for _, name := range []string{p.like, p.also} {
			if name != "" && (d.Find(name) == nil || d.Find(name).like != "" || d.Find(name) == p) {
				errs = append(errs, &Error{File: p.file, Line: 1, What: fmt.Sprintf("there is no platform %q whose rules could be taken", name), Mend: "name one that has rules of its own"})
			}
		}
		for _, id := range slices.Concat(slices.Sorted(maps.Keys(p.levels)), p.without) {
			if base := d.Find(p.like); base == nil || !slices.ContainsFunc(base.Rules, func(r *Rule) bool { return r.ID == id }) {
				errs = append(errs, &Error{File: p.file, Line: 1, What: fmt.Sprintf("`levels` or `without` names %s, which %s does not have", id, p.like), Mend: "take it out"})
			}
		}
	}
	return errors.Join(errs...)
}

// Digest names the data's content.
func (d *Data) Digest() string { return d.digest }

// Verified is the latest day on which a source was read.
func (d *Data) Verified() time.Time {
	var last time.Time
	for _, p := range d.Platforms {
		for _, r := range p.Rules {
			if r.Verified.After(last) {
				last = r.Verified
			}
		}
	}
	return last
}

// Find gives a platform by its name; nil if there is none.
func (d *Data) Find(name string) *Platform {
	for _, p := range d.Platforms {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

// RulesOf gives the rules of a platform, those that it takes from others too.
func (d *Data) RulesOf(p *Platform) []*Rule {
	var rules []*Rule
	if base := d.Find(p.like); base != nil {
		for _, r := range base.Rules {
			if slices.Contains(p.without, r.ID) {
				continue
			}
			if level, ok := p.levels[r.ID]; ok {
				moved := *r
				moved.Level = level
				r = &moved
			}
			rules = append(rules, r)
		}
	}
	rules = append(rules, p.Rules...)
	if other := d.Find(p.also); other != nil {
		for _, r := range other.Rules {
			advice := *r
			advice.advice = other.Name
			rules = append(rules, &advice)
		}
	}
	return rules
}

// maps tells whether a platform maps first-level fields.
func (d *Data) maps(p *Platform) bool {
	base := d.Find(p.like)
	return p.Fields || base != nil && base.Fields
}

// Rule gives a rule by its id, and the platform it belongs to; nil if there is none.
func (d *Data) Rule(id string) (*Platform, *Rule) {
	for _, p := range d.Platforms {
		for _, r := range p.Rules {
			if strings.EqualFold(r.ID, id) {
				return p, r
			}
		}
	}
	return nil, nil
}
