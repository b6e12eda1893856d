package runner

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"time"
)

// betweenTries is how long is waited between two looks at whether a server is up.
const betweenTries = 100 * time.Millisecond

// tenth is how exactly a time that was waited is told.
const tenth = 100 * time.Millisecond

// await waits until a server at a URL takes connections, or for as long as it
// was told to. Whether it came up is seen by connecting.
func (r *run) await(ctx context.Context) {
	at, err := url.Parse(r.file.Server.URL)
	if r.opts.Wait <= 0 || err != nil || at.Host == "" {
		return
	}
	address := net.JoinHostPort(at.Hostname(), cmp.Or(at.Port(), map[string]string{"http": "80", "https": "443"}[at.Scheme]))
	until, cancel := context.WithTimeout(ctx, r.opts.Wait)
	defer cancel()
	begun := r.record.Now()
	for tries := 1; ; tries++ {
		conn, err := new(net.Dialer).DialContext(until, "tcp", address)
		if err == nil {
			_ = conn.Close() // nothing was sent on it
		}
		if err == nil || until.Err() != nil {
			if tries > 1 {
				r.notes = append(r.notes, fmt.Sprintf("the run waited %s for a server at %s", (r.record.Now()-begun).Round(tenth), at.Host))
			}
			return
		}
		_ = sleep(until, betweenTries) // the next try finds out
	}
}
