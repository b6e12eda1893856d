package campaign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// Ask makes one tools/call over a virtual user's connection, beside the load: over
// stdio nobody else has the pipes any more. An error says why it was not
// acknowledged. No window may be played at the time.
func (b *Bench) Ask(tool string, arguments json.RawMessage, timeout time.Duration) error {
	if len(b.conns) == 0 {
		return fmt.Errorf("%s: there is no connection", tool)
	}
	id := b.ids.One()
	message, fields := b.Session.Encode(wire.Request{Method: "tools/call", Params: conform.CallParams(tool, arguments), ID: int(id)})
	request := b.Way.Request(fields, message)
	request.ID, request.Timeout = id, timeout
	var a lean.Answer
	b.conns[0].Do(&request, &a)
	if a.Class != lean.Answered {
		return fmt.Errorf("%s: %s: %s", tool, a.Class, a.Problem)
	}
	root, err := rawjson.Parse(bytes.TrimSpace(a.Message))
	if err != nil {
		return fmt.Errorf("%s: its answer is no JSON: %w", tool, err)
	}
	if message, ok := root.At("error", "message").Str(); ok || root.Has("error") {
		return fmt.Errorf("%s was refused: %s", tool, strconv.Quote(rawjson.Cut(message, 120)))
	}
	if isError, _ := root.At("result", "isError").Bool(); isError || !root.Has("result") {
		return fmt.Errorf("%s was refused", tool)
	}
	return nil
}
