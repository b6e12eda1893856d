package conform

import (
	"mime"
	"strings"
)

// Field gives the first header field of a name, letter case aside; empty if
// there is none.
func Field(header []HeaderField, name string) string {
	for _, f := range header {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// FromIntermediary tells an HTTP response that an intermediary gave in the
// server's place: status 502 or 504, or a page for a browser. It is for whoever
// found no JSON-RPC response in it.
func FromIntermediary(status int, media string) bool {
	return status == 502 || status == 504 || status != 0 && media == "text/html"
}

// MediaType gives the media type of Content-Type in lower case, without its
// parameters; empty if there is none or it does not read.
func MediaType(header []HeaderField) string {
	value := Field(header, "Content-Type")
	if value == "" {
		return ""
	}
	media, _, err := mime.ParseMediaType(value)
	if err != nil {
		before, _, _ := strings.Cut(value, ";")
		return strings.ToLower(strings.TrimSpace(before))
	}
	return media
}
