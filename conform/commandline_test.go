package conform

import "testing"

func TestAURLIsShownWithoutItsSecrets(t *testing.T) {
	for in, want := range map[string]string{
		"http://a/mcp":                           "http://a/mcp",
		"http://me:pw@a/mcp":                     "http://redacted@a/mcp",
		"http://a/mcp?page=2&monthly=1":          "http://a/mcp?page=2&monthly=1",
		"http://a/mcp?page=2&api%5Fkey=k%3D&x=%": "http://a/mcp?page=2&api%5Fkey=redacted&x=%",
		"http://a/mcp?sig=a&token=&CODE=1":       "http://a/mcp?sig=redacted&token=&CODE=redacted",
		"/state?ids={ids}&Client-Secret=s":       "/state?ids={ids}&Client-Secret=redacted",
		"no URL: %zz":                            "no URL: %zz",
	} {
		if got := WithoutSecrets(in); got != want {
			t.Errorf("%s is shown as %s, wanted %s", in, got, want)
		}
	}
}
