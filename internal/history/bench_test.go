package history

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// BenchmarkAThousandCalls judges a thousand calls of one item, 64 in flight at a time:
// all explained, and with one effect lost, which is then shown by as few as can be.
func BenchmarkAThousandCalls(b *testing.B) {
	events := []conform.Happening{looked(1, 2, false, 0)}
	now, n := int64(10), int64(0)
	for n < 1_000 {
		for i := range int64(64) {
			events = append(events, wrote(now+i, now+100+i, ack))
			n++
		}
		now += 1_000
		events = append(events, looked(now-10, now-5, true, n))
	}
	b.Run("explained", func(b *testing.B) {
		for b.Loop() {
			if Check(Append, events) != Explained {
				b.Fatal("it is lawful")
			}
		}
	})
	less := n - 1
	events[len(events)-1].Count = &less
	b.Run("illegal", func(b *testing.B) {
		for b.Loop() {
			if Smallest(Append, events) == nil {
				b.Fatal("one is lost")
			}
		}
	})
}
