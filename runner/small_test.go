package runner

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// small is the protocol's part of a server with a handful of tools: it lists them,
// and answers a call with the JSON that the tool gives.
func small(w http.ResponseWriter, r *http.Request, name, tools string, call func(tool string, arguments json.RawMessage) (data string)) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &m) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := `{}`
	switch m.Method {
	case "initialize":
		answer = fmt.Sprintf(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":%q,"version":"1"}}`, name)
	case "tools/list":
		answer = `{"tools":` + tools + `}`
	case "tools/call":
		data := call(m.Params.Name, m.Params.Arguments)
		text, _ := json.Marshal(data) // a string always marshals
		answer = fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"structuredContent":%s}`, text, data)
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer)
}
