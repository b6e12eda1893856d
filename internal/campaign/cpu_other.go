//go:build !unix

package campaign

import "time"

// processorTime is not known here: the report then says nothing of it.
func processorTime() time.Duration { return 0 }
