package wire

import (
	"fmt"
	"sync"
	"time"
)

// Withdrawal has a call cancelled while it is out, as a user does who presses stop:
// by notifications/cancelled, at 2026-07-28 over HTTP by closing the request (MCP
// 2025-11-25, basic/utilities/cancellation; 2026-07-28, the same).
type Withdrawal struct {
	// After is how long after it was written the call is cancelled; 0: at once,
	// whether it was answered in that moment or not.
	After time.Duration
	// Quiet is how long an answer is waited for all the same: a server may have it
	// already, and one that does not cancel sends it later. Closing a request leaves
	// nothing to wait for.
	Quiet time.Duration
}

// withdrawal is a Withdrawal under way.
type withdrawal struct {
	Withdrawal
	what    string
	tell    func()        // sends the notification, and waits until it is taken; nil: closing says it
	written chan struct{} // closed when the call is written, or cannot be
	once    sync.Once
	over    chan struct{} // closed when the exchange is over
	sent    bool          // whether anything of the call went out; set before over is closed
	told    bool          // the server was told; set before gone is closed
	gone    chan struct{} // closed when nothing more is done
	enough  chan string   // holds why the answer is waited for no longer
}

func newWithdrawal(w Withdrawal, what string) *withdrawal {
	return &withdrawal{Withdrawal: w, what: what,
		written: make(chan struct{}), over: make(chan struct{}), gone: make(chan struct{}), enough: make(chan string, 1)}
}

// wrote notes that the writing of the call has ended; it may be called again.
func (w *withdrawal) wrote() { w.once.Do(func() { close(w.written) }) }

// closes tells whether closing the request, at once, is how it is cancelled.
func (w *withdrawal) closes() bool { return w.tell == nil && w.After == 0 }

// run cancels the call when its time has come.
func (w *withdrawal) run() {
	defer close(w.gone)
	select {
	case <-w.written:
	case <-w.over:
	}
	if w.After > 0 {
		select {
		case <-time.After(w.After):
		case <-w.over: // answered before it could be cancelled
			return
		}
	}
	if w.tell == nil {
		w.enough <- w.why()
		return
	}
	select {
	case <-w.over:
		if !w.sent {
			return
		}
	default:
	}
	w.told = true
	w.tell()
	select {
	case <-time.After(w.Quiet):
		w.enough <- w.why()
	case <-w.over:
	}
}

// why words what became of a call that nothing answers.
func (w *withdrawal) why() string {
	when := "at once"
	if w.After > 0 {
		when = "after " + w.After.String()
	}
	if w.tell == nil {
		return fmt.Sprintf("%s was cancelled %s, by closing the request", w.what, when)
	}
	return fmt.Sprintf("%s was cancelled %s, and not answered within %s, as is lawful", w.what, when, w.Quiet)
}

// end waits until nothing more is done about the call, and tells whether the server
// was told.
func (w *withdrawal) end(sent bool) bool {
	w.sent = sent
	close(w.over)
	<-w.gone
	return w.told
}
