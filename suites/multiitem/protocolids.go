package multiitem

import (
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// protocolNames are members that hold a protocol or operation id, written
// without separators and in lower case. The contract defines none; these are the
// ones that its guides and the field use.
var protocolNames = map[string]bool{
	"protocol": true, "protocolid": true, "protocolnumber": true, "protocolo": true, "operationid": true,
	"confirmation": true, "confirmationid": true, "confirmationnumber": true, "receipt": true, "receiptid": true,
}

var separators = strings.NewReplacer("_", "", "-", "")

// protocolOf gives a row's own protocol or operation id; empty if it has none.
func protocolOf(n *rawjson.Node) (value string, at *rawjson.Node) {
	if !n.Is(rawjson.Object) {
		return "", nil
	}
	for i := range n.Members {
		m := &n.Members[i]
		if !protocolNames[strings.ToLower(separators.Replace(m.Name))] {
			continue
		}
		if text, _ := scalar(m.Value); strings.TrimSpace(text) != "" {
			return text, m.Value
		}
	}
	return "", nil
}
