package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/internal/launch"
)

// betweenTries is how long is waited between two looks at whether a server is up.
const betweenTries = 100 * time.Millisecond

// tenth is how exactly a time that was waited is told.
const tenth = 100 * time.Millisecond

// await waits until a server at a URL takes connections, or for as long as it
// was told to. Whether it came up is seen by connecting.
func (r *run) await(ctx context.Context) {
	if r.opts.Wait <= 0 || r.file.Host() == "" {
		return
	}
	until, cancel := context.WithTimeout(ctx, r.opts.Wait)
	defer cancel()
	begun := r.record.Now()
	for tries := 1; ; tries++ {
		if launch.Connects(until, r.file.Server.URL) || until.Err() != nil {
			if tries > 1 {
				r.notes = append(r.notes, fmt.Sprintf("the run waited %s for a server at %s", (r.record.Now()-begun).Round(tenth), r.file.Host()))
			}
			return
		}
		_ = sleep(until, betweenTries) // the next try finds out
	}
}
