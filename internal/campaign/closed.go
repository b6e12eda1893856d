package campaign

import (
	"context"
	"sync"
	"time"
)

// closed has every user call, wait for the answer, think, and call again, until the
// window is over. A call that is out by then is waited for.
func (w *window) closed(ctx context.Context) {
	defer w.lookOn()()
	defer w.interruptible(ctx)()
	var all sync.WaitGroup
	for i := range w.conns {
		all.Go(func() {
			for !w.over.Load() && w.bench.now() < w.to {
				if !w.gated(ctx, i) {
					return
				}
				w.think(ctx)
			}
		})
	}
	all.Wait()
}

// gated makes a user's next call once the server's limits let it through; false: there
// was none.
func (w *window) gated(ctx context.Context, i int) bool {
	for _, gate := range w.cell.Gates {
		leave, err := gate.Enter(ctx)
		if err != nil {
			return false
		}
		defer leave()
	}
	now := w.bench.now()
	return now < w.to && w.call(i, now)
}

func (w *window) think(ctx context.Context) {
	if w.cell.Think == 0 {
		return
	}
	timer := time.NewTimer(min(w.cell.Think, max(0, w.to-w.bench.now())))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// grace is how long calls that are out are waited for once the context has ended.
const grace = 500 * time.Millisecond

// interruptible has the window end with the context: nothing further is sent, and
// calls that are still out after a grace are given up. What is returned ends that.
func (w *window) interruptible(ctx context.Context) (end func()) {
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-done:
			return
		case <-ctx.Done():
		}
		w.end("", false)
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-done:
		case <-timer.C:
			for _, conn := range w.conns {
				conn.Interrupt()
			}
		}
	})
	return func() {
		close(done)
		watching.Wait()
	}
}
