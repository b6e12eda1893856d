package selftest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// object is a JSON object of a message. Numbers stay as written.
type object = map[string]any

// read reads a message; nil if the bytes are no JSON object.
func read(text []byte) object {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var m object
	if dec.Decode(&m) != nil {
		return nil
	}
	return m
}

func encode(m object) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(m) // what was read as JSON is written as JSON
	return bytes.TrimRight(b.Bytes(), "\n")
}

func child(m object, name string) object {
	c, _ := m[name].(object)
	return c
}

// respond changes a response as the oddity has it, and gives what goes out.
func (o oddity) respond(asked, response object) []object {
	if o.noticed(response) {
		return []object{response}
	}
	result := child(response, "result")
	switch method, _ := asked["method"].(string); {
	case result == nil:
	case method == "initialize" && o.greeting != nil:
		o.greeting(result)
	case method == "tools/list" && o.listing != nil:
		o.listing(asked, result)
	case method == "tools/call" && o.answer != nil && multi(asked):
		o.answer(asked, result)
	case method == "tools/call" && o.seen != nil && looks(asked):
		o.seen(asked, result)
	}
	var all []object
	if o.before != nil {
		all = o.before(asked)
	}
	return append(all, response)
}

// noticed tells what the server says of itself, and changes it as the oddity has it.
func (o oddity) noticed(message object) bool {
	if message["method"] == nil {
		return false
	}
	if o.notice != nil && message["id"] == nil {
		o.notice(message)
	}
	return true
}

// multi tells a call of a multi-item tool that does the work.
func multi(asked object) bool {
	switch child(asked, "params")["name"] {
	case "cancel_products", "cancel_subscriptions", "cancel_products_workflow", "query_orders", "cancel_products_paged":
		return true
	}
	return false
}

// looks tells a call of a tool that shows the state.
func looks(asked object) bool {
	switch child(asked, "params")["name"] {
	case "get_products", "get_subscriptions":
		return true
	}
	return false
}

// reply is the reply to one POST, held back until it is whole.
type reply struct {
	status   int
	header   http.Header
	body     bytes.Buffer
	messages []object // the responses in it, changed; nil for anything else
	stream   bool     // it was an event stream
	out      http.ResponseWriter
}

func (r *reply) Header() http.Header         { return r.header }
func (r *reply) WriteHeader(status int)      { r.status = status }
func (r *reply) Write(b []byte) (int, error) { return r.body.Write(b) }
func (r *reply) Flush()                      {}

// head sends the head of the reply.
func (r *reply) head(contentType string) {
	for name, values := range r.header {
		r.out.Header()[name] = values
	}
	if contentType != "" {
		r.out.Header().Set("Content-Type", contentType)
	}
	r.out.Header().Del("Content-Length")
	r.out.WriteHeader(r.status)
}

// part sends bytes of the body, at once. A client that is gone needs none.
func (r *reply) part(b []byte) {
	_, _ = r.out.Write(b)
	_ = http.NewResponseController(r.out).Flush()
}

// plainly sends the reply as it would have been, but for what was changed.
func (r *reply) plainly() {
	switch {
	case r.messages == nil:
		r.head("")
		r.part(r.body.Bytes())
	case !r.stream && len(r.messages) == 1:
		r.head("")
		r.part(encode(r.messages[0]))
	default:
		r.head("text/event-stream")
		for _, m := range r.messages {
			r.part([]byte("event: message\ndata: " + string(encode(m)) + "\n\n"))
		}
	}
}

// front puts the oddity in front of the good server's handler.
func (o oddity) front(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status := o.refuse[r.Method]; status != 0 {
			w.Header().Set("Allow", "POST")
			w.WriteHeader(status)
			return
		}
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(io.LimitReader(r.Body, fakebackend.MaxRequest))
		if err != nil {
			http.Error(w, "the request could not be read", http.StatusBadRequest)
			return
		}
		asked := read(body)
		served := body
		if asked != nil && o.request != nil {
			changed := read(body)
			o.request(changed)
			served = encode(changed)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(served)), int64(len(served))
		r.Header.Del("Content-Length")
		held := &reply{status: http.StatusOK, header: http.Header{}, out: w}
		next.ServeHTTP(held, r)
		held.read(o, asked)
		if o.write != nil && held.messages != nil {
			o.write(held, asked)
			return
		}
		held.plainly()
	})
}

// read reads the messages of the reply, and changes them.
func (r *reply) read(o oddity, asked object) {
	contentType := r.header.Get("Content-Type")
	r.stream = strings.HasPrefix(contentType, "text/event-stream")
	if asked == nil || asked["id"] == nil || !r.stream && !strings.HasPrefix(contentType, "application/json") {
		return
	}
	texts := [][]byte{r.body.Bytes()}
	if r.stream {
		texts = nil
		for line := range bytes.SplitSeq(r.body.Bytes(), []byte("\n")) {
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				texts = append(texts, data)
			}
		}
	}
	for _, text := range texts {
		if m := read(text); m != nil {
			r.messages = append(r.messages, o.respond(asked, m)...)
		}
	}
}

// pipe serves the oddity on a pair of pipes.
func (o oddity) pipe(ctx context.Context, backend *fakebackend.Backend, in io.Reader, out io.Writer) error {
	toServer, asked := io.Pipe()
	answered, fromServer := io.Pipe()
	open := &requests{}
	go func() {
		lines := bufio.NewReader(in)
		for {
			text, err := lines.ReadBytes('\n')
			if m := read(text); m != nil {
				open.put(m)
				if o.request != nil {
					changed := read(text)
					o.request(changed)
					text = append(encode(changed), '\n')
				}
			}
			if _, broken := asked.Write(text); broken != nil || err != nil {
				_ = asked.Close() // a pipe within the process: it cannot fail
				return
			}
		}
	}()
	written := make(chan error, 1)
	go func() { written <- o.lines(answered, out, open) }()
	err := backend.ServeStdio(ctx, toServer, fromServer)
	_ = fromServer.Close()
	return errors.Join(err, <-written)
}

// lines writes what the server says, changed.
func (o oddity) lines(in io.Reader, out io.Writer, open *requests) error {
	from := bufio.NewReader(in)
	for {
		text, err := from.ReadBytes('\n')
		if m := read(text); m != nil {
			all := []object{m}
			if request := open.take(m); request != nil {
				all = o.respond(request, m)
			} else {
				o.noticed(m)
			}
			for _, m := range all {
				line := append(encode(m), '\n')
				if o.line != nil {
					line = o.line(encode(m))
				}
				if _, err := out.Write(line); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// requests are those that are not answered yet.
type requests struct {
	mu   sync.Mutex
	byID map[string]object
}

func (q *requests) put(m object) {
	if m["id"] == nil || m["method"] == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.byID == nil {
		q.byID = map[string]object{}
	}
	q.byID[string(encode(object{"id": m["id"]}))] = m
}

func (q *requests) take(m object) object {
	if m["method"] != nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	key := string(encode(object{"id": m["id"]}))
	asked := q.byID[key]
	delete(q.byID, key)
	return asked
}
