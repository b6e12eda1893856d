package conform

import "testing"

func TestCallParamsKeepTheArguments(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"items": [1.0]}`: `{"name":"a \"tool\"","arguments":{"items": [1.0]}}`, "": `{"name":"a \"tool\""}`,
	} {
		var given []byte
		if arguments != "" {
			given = []byte(arguments)
		}
		if got := CallParams(`a "tool"`, given); string(got) != want {
			t.Errorf("%s, wanted %s", got, want)
		}
	}
}
