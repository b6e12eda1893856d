package mask

import (
	"encoding/base64"
	"regexp"
	"unicode/utf8"
)

// inBase64 are rows of characters that may be a text in base64: a cursor, a state.
var inBase64 = regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}={0,2}`)

// encoded masks values in texts that stand in base64.
func (m *Mask) encoded(text string) string {
	return inBase64.ReplaceAllStringFunc(text, func(row string) string {
		for _, coding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
			said, err := coding.DecodeString(row)
			if err != nil || !readable(said) {
				continue
			}
			if is := m.said(string(said), false); is != string(said) {
				return coding.EncodeToString([]byte(is))
			}
			return row
		}
		return row
	})
}

// readable tells text from bytes that only look like base64.
func readable(said []byte) bool {
	if !utf8.Valid(said) {
		return false
	}
	for _, c := range said {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
