package bare

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// Delay is what a slow call takes.
const Delay = 10 * time.Millisecond

// ServeHTTP serves on a free port of this machine, whose URL it writes as one line, and
// ends when its input does: so it ends with whoever started it.
func ServeHTTP(in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, "http://"+listener.Addr().String()); err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- http.Serve(listener, newHandler()) }()
	go func() {
		_, err := io.Copy(io.Discard, in)
		served <- err
	}()
	return <-served
}

type handler struct {
	kept   kept
	bodies sync.Pool // of *[]byte

	mu    sync.Mutex
	truth measure.Times
}

func newHandler() *handler {
	return &handler{bodies: sync.Pool{New: func() any { return new([]byte) }}}
}

// ServeHTTP answers one request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := time.Now()
	has := func(word string) bool { return strings.Contains(r.URL.Path, word) }
	switch {
	case has("truth"):
		h.tell(w)
		return
	case r.Method != http.MethodPost || r.ContentLength < 0:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	held := h.bodies.Get().(*[]byte)
	defer h.bodies.Put(held)
	if int64(cap(*held)) < r.ContentLength {
		*held = make([]byte, r.ContentLength)
	}
	body := (*held)[:r.ContentLength]
	if _, err := io.ReadFull(r.Body, body); err != nil {
		return // who asked has gone
	}
	w.Header().Set("Content-Type", "application/json")
	if text, ok := handshake(body); ok {
		if text == "" {
			w.WriteHeader(http.StatusAccepted)
		}
		_, _ = io.WriteString(w, text)
		return
	}
	a, id := h.kept.wanted(body, has("differs"))
	if a == nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if has("slow") {
		time.Sleep(Delay)
		defer func() { h.took(time.Since(begun)) }()
	}
	turn := h.kept.turns.Add(1)
	if has("sse") {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "event: message\ndata: ")
		a.write(w, id, turn)
		_, _ = io.WriteString(w, "\n\n")
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(a.length(id)))
	a.write(w, id, turn)
}

func (h *handler) took(d time.Duration) {
	h.mu.Lock()
	h.truth.Add(d)
	h.mu.Unlock()
}

// tell says how long slow calls took, and begins again.
func (h *handler) tell(w io.Writer) {
	h.mu.Lock()
	truth := h.truth.Quantiles(measure.Loaded)
	h.truth = measure.Times{}
	h.mu.Unlock()
	_ = json.NewEncoder(w).Encode(truth) // who asked may have gone
}

// ServeLines answers line by line until the input ends.
func ServeLines(in io.Reader, out io.Writer, differs bool) error {
	var k kept
	lines, w := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<16)
	for {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text, ok := handshake(line)
		switch {
		case ok && text == "":
			continue
		case ok:
			_, _ = w.WriteString(text)
		default:
			a, id := k.wanted(line, differs)
			if a == nil {
				return fmt.Errorf("no call of query: %.100q", line)
			}
			a.write(w, id, k.turns.Add(1))
		}
		_ = w.WriteByte('\n')
		if err := w.Flush(); err != nil {
			return err
		}
	}
}
