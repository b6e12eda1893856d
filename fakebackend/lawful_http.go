package fakebackend

import (
	"compress/gzip"
	"net/http"
)

// Moved is the path to which Options.Redirect sends messages on.
const Moved = "/moved/mcp"

// lawful does to HTTP what the options ask, and what every client must bear: it answers
// in gzip, and redirects.
func (b *Backend) lawful(next http.Handler) http.Handler {
	if b.options.Gzip {
		next = zipping(next)
	}
	if b.options.Redirect == 0 {
		return next
	}
	served := next
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == Moved {
			served.ServeHTTP(w, r)
			return
		}
		// Location is a path: whoever reached us by a tunnel or a proxy stays on it.
		w.Header().Set("Location", Moved)
		w.WriteHeader(b.options.Redirect)
	})
}

func zipping(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		z := &zipper{ResponseWriter: w}
		next.ServeHTTP(z, r)
		z.close()
	})
}

// zipper writes a body in gzip, if there is one.
type zipper struct {
	http.ResponseWriter
	body  *gzip.Writer
	begun bool
}

// WriteHeader says that the body is coded; statuses without a body have none.
func (z *zipper) WriteHeader(status int) {
	if !z.begun && status >= 200 && status != http.StatusNoContent && status != http.StatusAccepted {
		z.Header().Set("Content-Encoding", "gzip")
		z.Header().Del("Content-Length")
		z.body = gzip.NewWriter(z.ResponseWriter)
	}
	z.begun = z.begun || status >= 200
	z.ResponseWriter.WriteHeader(status)
}

// Write writes on the body.
func (z *zipper) Write(b []byte) (int, error) {
	if !z.begun {
		z.WriteHeader(http.StatusOK)
	}
	if z.body == nil {
		return z.ResponseWriter.Write(b)
	}
	return z.body.Write(b)
}

// Flush sends what was written so far, as event streams need it.
func (z *zipper) Flush() {
	if z.body != nil {
		_ = z.body.Flush() // a client that is gone needs no more
	}
	_ = http.NewResponseController(z.ResponseWriter).Flush()
}

func (z *zipper) close() {
	if z.body != nil {
		_ = z.body.Close() // likewise
	}
}
