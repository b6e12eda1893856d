package conform

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Bytes are exact bytes. In JSON they are a string where they are valid UTF-8,
// else {"base64": "…"}; both read back to the same bytes.
type Bytes []byte

type base64Bytes struct {
	Base64 string `json:"base64"`
}

// MarshalJSON writes the bytes so that UnmarshalJSON gives them back exactly.
func (b Bytes) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		return json.Marshal(string(b))
	}
	return json.Marshal(base64Bytes{base64.StdEncoding.EncodeToString(b)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (b *Bytes) UnmarshalJSON(text []byte) error {
	var plain string
	if err := json.Unmarshal(text, &plain); err == nil {
		*b = Bytes(plain)
		return nil
	}
	var coded base64Bytes
	if err := json.Unmarshal(text, &coded); err != nil {
		return fmt.Errorf("bytes are a string or {\"base64\": …}: %w", err)
	}
	raw, err := base64.StdEncoding.DecodeString(coded.Base64)
	if err != nil {
		return fmt.Errorf("bytes in base64: %w", err)
	}
	*b = raw
	return nil
}
