package baseline_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/baseline"
)

// What people write by hand stays as they wrote it, and reads again.
func TestLayoutsThatAreKept(t *testing.T) {
	report := found(failed("RES-01"), failed("RES-04"), conform.Finding{ID: "CON-01", Operation: "cancel", Level: conform.Must, Verdict: conform.NotRun, Reason: "x"})
	const added = "check: RES-04\n~    operation: 'cancel'\n~    because: 'known since 2026-12-01; say why it is not mended'\n"
	const last = "not_run:\n  - check: CON-01\n    because: x\n"
	for name, c := range map[string]struct{ before, after string }{
		"dashes at the edge": {
			"# ours\nversion: 1\nfailures:\n- check: RES-01\n  because: old\n" + last,
			"# ours\nversion: 1\nfailures:\n- check: RES-01\n  because: old\n- " + strings.ReplaceAll(added, "~  ", "") + last},
		"dashes further in": {
			"# ours\nversion: 1\nfailures:\n    - check: RES-01\n      because: old\n" + last,
			"# ours\nversion: 1\nfailures:\n    - check: RES-01\n      because: old\n    - " + strings.ReplaceAll(added, "~", "  ") + last},
		"comments everywhere": {
			"# ours\n\nversion: 1 # v\n# what fails\nfailures: # f\n  # the archive\n\n  - check: RES-01\n    because: old\n    # of RES-01\n\n# what is not run\n" + last + "# the end",
			"# ours\n\nversion: 1 # v\n# what fails\nfailures: # f\n  # the archive\n\n  - check: RES-01\n    because: old\n    # of RES-01\n  - " + strings.ReplaceAll(added, "~", "") + "# what is not run\n" + last + "# the end\n"},
		"a comment after an entry": {
			"# ours\nversion: 1\nfailures:\n  - check: RES-01\n    because: old\n    # of RES-01\n  # of RES-04\n  - check: RES-04\n    because: old\n" + last,
			"# ours\nversion: 1\nfailures:\n  - check: RES-01\n    because: old\n    # of RES-01\n  # of RES-04\n  - check: RES-04\n    because: old\n" + last},
		"an empty list": {
			"# ours\nversion: 1\n# none yet\nfailures: []\n" + last,
			"# ours\nversion: 1\n# none yet\nfailures:\n  - " + strings.ReplaceAll(strings.ReplaceAll(added, "RES-04", "RES-01"), "~", "") + "  - " + strings.ReplaceAll(added, "~", "") + last},
		"the version at the end": {
			"# ours\nfailures:\n  - check: RES-01\n    because: old\n" + last + "# of the version\nversion: 1\n",
			"# ours\n# of the version\nversion: 1\nfailures:\n  - check: RES-01\n    because: old\n  - " + strings.ReplaceAll(added, "~", "") + last},
	} {
		old, err := baseline.Read("b.yaml", []byte(c.before), known)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if after, _ := write(t, report, old, []byte(c.before)); string(after) != c.after {
			t.Errorf("%s:\n%s\nwant\n%s", name, after, c.after)
		}
	}
}

// What cannot be kept is refused: nobody's words are lost, and no file is broken.
func TestLayoutsThatAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"in one line":                    "version: 1\nfailures: [{check: RES-01, because: old}]\n",
		"the dash alone":                 "version: 1\nfailures:\n  -\n    check: RES-01\n    because: old\n",
		"braces around all":              "{version: 1, not_run: [\n  {check: RES-01, because: old}]}\n",
		"a document mark with a comment": "--- # ours\n{version: 1}\n",
	} {
		old, err := baseline.Read("b.yaml", []byte(text), known)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var wrong *baseline.Error
		after, _, err := baseline.Write(found(failed("RES-01"), failed("RES-04")), old, []byte(text), today)
		if !errors.As(err, &wrong) || wrong.File != "b.yaml" || !strings.Contains(wrong.Mend, "- check: ID") {
			t.Errorf("%s: %v\n%s", name, err, after)
		}
	}
}
