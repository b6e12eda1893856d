package export

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/internal/campaign"
)

// Serve answers GET /metrics on a listener with what is seen of a load, until stop is
// called, which waits for answers under way for a second and closes the listener.
func Serve(listener net.Listener, version string, live *campaign.Live) (stop func()) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = Prometheus(w, version, live.Look()) // who asked has gone
	})
	server := &http.Server{Handler: mux, ReadTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) }) // it ends with Shutdown
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
		serving.Wait()
	}
}
