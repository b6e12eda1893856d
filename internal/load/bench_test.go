//go:build unix

package load

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// BenchmarkCalls has users call a bare server as fast as they can, every answer
// judged. Beside it, where wrk is installed, wrk sends the same requests to the
// same server in the same run, and checks nothing: only the ratio is worth
// anything on a machine that others use too.
//
//	go test ./internal/load -run '^$' -bench Calls -benchtime 2s
func BenchmarkCalls(b *testing.B) {
	address := bareServer(b)
	for _, size := range []int{1, 10, 100, 1000} {
		for _, way := range []struct {
			name    string
			address string
			differs bool
			shared  bool
			users   int
		}{
			{"repeating", address, false, false, 8}, {"differing", address, true, false, 8}, {"repeating", address, false, false, 64},
			{"sse", address + "/sse", true, false, 8}, {"stdio", "", true, false, 1}, {"stdio-pipelined", "", true, true, 8},
		} {
			b.Run(fmt.Sprintf("%s/items=%d/users=%d", way.name, size, way.users), func(b *testing.B) {
				c := hire(b, way.address, way.shared, way.users, size, way.differs, Mode{})
				b.ReportAllocs()
				before := cpu()
				b.ResetTimer()
				c.call(b, b.N)
				b.StopTimer()
				took := b.Elapsed()
				rate := float64(b.N) / took.Seconds()
				b.ReportMetric(rate, "calls/s")
				b.ReportMetric(float64((cpu()-before).Nanoseconds())/1e3/float64(b.N), "cpu-µs/call")
				if way.address == address && took > time.Second {
					if peer := wrk(b, address, c.request, way.users); peer > 0 {
						b.ReportMetric(rate/peer, "of-wrk")
					}
				}
			})
		}
	}
}

// call has all users call until so many calls are made.
func (c *crew) call(b *testing.B, calls int) {
	var all sync.WaitGroup
	for i, user := range c.users {
		share := calls / len(c.users)
		if i < calls%len(c.users) {
			share++
		}
		all.Go(func() {
			for range share {
				if call := user.Call(0); call.Outcome != OK {
					b.Errorf("%s: %s", told(call), user.answer.Problem)
					return
				}
			}
		})
	}
	all.Wait()
}

// cpu is the processor time of this process.
func cpu() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

var rateOfWrk = regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`)

// wrk gives the requests a second of wrk, the median of three; 0: it is not installed.
func wrk(b *testing.B, address string, body []byte, connections int) float64 {
	program, err := exec.LookPath("wrk")
	if err != nil {
		return 0
	}
	script := b.TempDir() + "/post.lua"
	lua := fmt.Sprintf("wrk.method = \"POST\"\nwrk.headers[\"Content-Type\"] = \"application/json\"\nwrk.body = %q\n", body)
	if err := os.WriteFile(script, []byte(lua), 0o600); err != nil {
		b.Fatal(err)
	}
	var rates []float64
	for range 3 {
		out, err := exec.Command(program, "-t", "1", "-c", strconv.Itoa(connections), "-d", "1s", "-s", script, address).CombinedOutput()
		found := rateOfWrk.FindSubmatch(out)
		if err != nil || found == nil {
			b.Logf("wrk: %v: %s", err, out)
			return 0
		}
		rate, _ := strconv.ParseFloat(string(found[1]), 64)
		rates = append(rates, rate)
	}
	slices.Sort(rates)
	return rates[1]
}
