package bare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// answer is an answer to a batch, ready but for its id and its turn. What stands
// between them is in pieces: the id comes before the first, a turn between two.
type answer struct{ pieces [][]byte }

const (
	before   = `{"jsonrpc":"2.0","id":`
	noTurn   = "0000000000"
	turnSize = len(noTurn)
)

func newAnswer(ids []string, differs bool) *answer {
	rows := make([]string, len(ids))
	for i, id := range ids {
		rows[i] = fmt.Sprintf(`{"id":%s,"success":true,"status":"SHIPPED","eta":"2026-12-%02d"}`, quoted(id), i%28+1)
	}
	turn := ""
	if differs {
		turn = `"turn":"t-` + noTurn + `",`
	}
	payload := `{` + turn + `"status":"SUCCESS","total":` + strconv.Itoa(len(ids)) + `,"results":[` + strings.Join(rows, ",") + `]}`
	whole := `,"result":{"content":[{"type":"text","text":` + quoted(payload) + `}],"structuredContent":` + payload + `}}`
	a := &answer{}
	for piece := range strings.SplitSeq(whole, "t-"+noTurn) {
		a.pieces = append(a.pieces, []byte(piece))
	}
	return a
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always can
	return string(b)
}

func (a *answer) length(id []byte) int {
	n := len(before) + len(id) + (len(a.pieces)-1)*(turnSize+2)
	for _, p := range a.pieces {
		n += len(p)
	}
	return n
}

// write writes the answer. What an error says, the next read of the connection says too.
func (a *answer) write(w io.Writer, id []byte, turn uint64) {
	var room [64]byte
	_, _ = w.Write(append(append(room[:0], before...), id...))
	for i, piece := range a.pieces {
		if i > 0 {
			_, _ = fmt.Fprintf(w, "t-%0*d", turnSize, turn)
		}
		_, _ = w.Write(piece)
	}
}

// kept are the answers that were asked for.
type kept struct {
	mu    sync.RWMutex
	of    map[key]*answer
	turns atomic.Uint64
}

// key is by what a request is known again.
type key struct {
	length  int
	first   string
	differs bool
}

// sight is how much of a request is looked at, from its first item on.
const sight = 24

// wanted finds which answer a call asks for, and its id; nil: it is no call of the tool.
func (k *kept) wanted(body []byte, differs bool) (*answer, []byte) {
	id, ok := idOf(body)
	from := bytes.Index(body, []byte(`"items":[`))
	if !ok || from < 0 {
		return nil, nil
	}
	first := body[from:min(from+len(`"items":[`)+sight, len(body))]
	k.mu.RLock()
	a := k.of[key{len(body) - len(id), string(first), differs}]
	k.mu.RUnlock()
	if a != nil {
		return a, id
	}
	var asked struct {
		Params struct {
			Arguments struct{ Items []struct{ ID string } }
		}
	}
	if json.Unmarshal(body, &asked) != nil {
		return nil, nil
	}
	var ids []string
	for _, item := range asked.Params.Arguments.Items {
		ids = append(ids, item.ID)
	}
	a = newAnswer(ids, differs)
	k.mu.Lock()
	if k.of == nil {
		k.of = map[key]*answer{}
	}
	k.of[key{len(body) - len(id), string(first), differs}] = a
	k.mu.Unlock()
	return a, id
}

// idOf gives the id of a request as it stands there.
func idOf(body []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(body, []byte(before))
	if end := slices.Index(rest, ','); ok && end > 0 {
		return rest[:end], true
	}
	var asked struct{ ID json.RawMessage }
	err := json.Unmarshal(body, &asked)
	return asked.ID, err == nil && asked.ID != nil
}

// handshake answers everything but a call; ok is false where it is one. An empty answer
// is none: the message asked for nothing.
func handshake(body []byte) (text string, ok bool) {
	if bytes.Contains(body[:min(len(body), 512)], []byte(`"tools/call"`)) {
		return "", false
	}
	var asked struct {
		ID     json.RawMessage
		Method string
	}
	if json.Unmarshal(body, &asked) != nil || asked.ID == nil {
		return "", true
	}
	result := func(text string) string { return before + string(asked.ID) + `,"result":` + text + `}` }
	switch asked.Method {
	case "initialize":
		return result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bare","version":"1"}}`), true
	case "tools/list":
		return result(`{"tools":[{"name":"query","inputSchema":{"type":"object"}}]}`), true
	case "ping":
		return result(`{}`), true
	}
	return before + string(asked.ID) + `,"error":{"code":-32601,"message":"no such method"}}`, true
}
