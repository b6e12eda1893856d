package rawjson

import "testing"

func TestFollow(t *testing.T) {
	top, err := Parse([]byte(`{"$defs":{"a/b":{"x":1},"m~n":2,"ü":3},"list":[10,11]}`))
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{
		"#":                  string(top.Raw),
		"#/list/1":           "11",
		"#/$defs/a~1b/x":     "1",
		"#/$defs/m~0n":       "2",
		"#/$defs/%C3%BC":     "3",
		"#/list/2":           "",
		"#/list/-1":          "",
		"#/list/x":           "",
		"#/nowhere/at/all":   "",
		"#anchor":            "",
		"other.json#/list/1": "",
		"":                   "",
	} {
		if got := top.Follow(ref); got.Excerpt(0) != want {
			t.Errorf("%s leads to %q, wanted %q", ref, got.Excerpt(0), want)
		}
	}
	if (*Node)(nil).Follow("#/a") != nil {
		t.Error("nothing leads somewhere")
	}
}
