package fakebackend

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Mux serves the backend as Listen does: MCP at /mcp, the state at /state, as
// GET /state?ids=1001,1002 (without ids: all that is stored or was changed), and
// the effect log at /effects, of things as GET /effects?ids=1001,1002: how often each was
// cancelled since everything was put back last, by the log alone. With Options.ServerTiming, /timing tells
// Backend.ServiceTimes, and DELETE forgets them. With Options.Undo, POST /restore?ids=1001,1002 takes
// cancellations back. The token counts for all of them; limit and weather for MCP
// only.
func (b *Backend) Mux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("/mcp", b.Handler())
	b.guard.describe(mux)
	if b.options.Redirect != 0 {
		mux.Handle(Moved, b.Handler())
	}
	mux.Handle("GET /state", b.guarded(http.HandlerFunc(b.serveState)))
	mux.Handle("GET /effects", b.guarded(http.HandlerFunc(b.serveEffects)))
	if b.options.ServerTiming {
		times := b.guarded(http.HandlerFunc(b.serveTimes))
		mux.Handle("GET /timing", times)
		mux.Handle("DELETE /timing", times)
	}
	if b.options.Undo {
		mux.Handle("POST /restore", b.guarded(http.HandlerFunc(b.serveRestore)))
	}
	return mux
}

// serveRestore takes the cancellation of products and subscriptions back. It says
// 409 if one of them cannot be, and has done the others.
func (b *Backend) serveRestore(w http.ResponseWriter, r *http.Request) {
	c := &call{ctx: r.Context(), tool: "POST /restore"}
	failed := 0
	for _, id := range listed(r.URL.Query()["ids"]) {
		s := b.products
		if _, ok := b.subscriptions.withID(id); ok {
			s = b.subscriptions
		}
		if _, done := tally(b.restore(c, s, []ref{{id: id}})); done == 0 {
			failed++
		}
	}
	if err := b.save(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if failed > 0 {
		http.Error(w, fmt.Sprintf("%d of them were not cancelled, or are not there", failed), http.StatusConflict)
	}
}

// listed gives the ids of a query, each apart.
func listed(given []string) []string {
	var ids []string
	for _, list := range given {
		for id := range strings.SplitSeq(list, ",") {
			if id = strings.TrimSpace(id); id != "" {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func (b *Backend) serveState(w http.ResponseWriter, r *http.Request) {
	given := r.URL.Query()["ids"]
	ids := listed(given)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(b.state(ids, len(given) == 0))) // a client that is gone needs no state
}

func (b *Backend) serveEffects(w http.ResponseWriter, r *http.Request) {
	if given := r.URL.Query()["ids"]; len(given) > 0 {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"items": counted(b.Effects(), listed(given))}) // as below
		return
	}
	effects := b.Effects()
	if effects == nil {
		effects = []Effect{}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"effects": effects}) // the same
}

// state tells products and subscriptions together, each id by what it is of.
func (b *Backend) state(ids []string, all bool) *object {
	whole := &object{}
	missing := []any{}
	known := map[string]bool{}
	for _, s := range []*shelf{b.products, b.subscriptions} {
		var refs []ref
		for _, id := range ids {
			if _, ok := s.withID(id); ok {
				known[id] = true
				refs = append(refs, ref{id: id})
			}
		}
		whole.add(s.kind+"s", b.probe(s, refs, all).payload.get(s.kind+"s"))
	}
	for _, id := range ids {
		if !known[id] {
			missing = append(missing, id)
		}
	}
	return whole.add("missing", missing)
}

// stateFile is the file that shows the state to other programs.
type stateFile struct {
	path string
	mu   sync.Mutex
}

// save writes the state, if there is a file for it, and writes it once more when
// what lags behind shows.
func (b *Backend) save() error {
	if b.file.path == "" {
		return nil
	}
	if lag := b.options.VisibleAfter; lag > 0 {
		b.later(lag, func() { _ = b.writeState() }) // whoever reads it sees the older one
	}
	return b.writeState()
}

// writeState replaces the file as a whole, so that a reader never sees half of it.
func (b *Backend) writeState() error {
	b.file.mu.Lock()
	defer b.file.mu.Unlock()
	beside, err := os.CreateTemp(filepath.Dir(b.file.path), filepath.Base(b.file.path)+".*")
	if err != nil {
		return fmt.Errorf("writing the state file: %w", err)
	}
	_, err = beside.Write(append(encode(b.state(nil, true)), '\n'))
	if closed := beside.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(beside.Name(), b.file.path)
	}
	if err != nil {
		_ = os.Remove(beside.Name()) // it is of no use
		return fmt.Errorf("writing the state file: %w", err)
	}
	return nil
}

// resume takes up the state of the file, where there is one: what is not in the
// catalogue was added.
func (b *Backend) resume() error {
	text, err := os.ReadFile(b.file.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the state file: %w", err)
	}
	type stored struct {
		ItemState
		Name string
	}
	var held struct{ Products, Subscriptions []stored }
	if err := json.Unmarshal(text, &held); err != nil {
		return fmt.Errorf("reading the state file: %w", err)
	}
	for s, list := range map[*shelf][]stored{b.products: held.Products, b.subscriptions: held.Subscriptions} {
		for _, one := range list {
			s.put(entry{id: one.ID, name: one.Name}) // false: it is there
			if e, ok := s.withID(one.ID); ok && one.Cancellations > 0 {
				s.change(e, func(state) (state, bool) { return state{status: one.Status, cancellations: one.Cancellations}, true })
			}
		}
	}
	return nil
}

// ReadState gives the states of things by the bytes of a state file, one for
// each id, in the order of the ids; what the file does not hold is left out.
func ReadState(file []byte, ids []string) ([]ItemState, error) {
	var held struct{ Products, Subscriptions []ItemState }
	if err := json.Unmarshal(file, &held); err != nil {
		return nil, fmt.Errorf("reading a state file: %w", err)
	}
	byID := map[string]ItemState{}
	for _, one := range append(held.Products, held.Subscriptions...) {
		byID[one.ID] = one
	}
	states := []ItemState{}
	for _, id := range ids {
		if one, ok := byID[id]; ok {
			states = append(states, one)
		} else if e, ok := bulkEntry(id); ok {
			states = append(states, ItemState{ID: e.id, Status: e.status})
		}
	}
	return states, nil
}

// ItemState is the state of one thing.
type ItemState struct {
	ID            string `json:"id"`
	Status        string `json:"status"`
	Cancellations int    `json:"cancellations"`
}
