package fakebackend

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// dropping is a backend that leaves the rows of failed items out, in some calls.
func dropping(t testing.TB, fast bool, chance string) Options {
	t.Helper()
	fault, err := ParseFault("RES-02/drops-failed" + chance)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Fast: fast, Sessions: Stateless, JSONAnswers: true, Faults: []Fault{fault}, Seed: 5}
}

const mixed = `{"order_ids":["O-1001","O-9999"]}`

// shown counts in how many of n calls a fault is drawn that shows in one of a hundred.
func shown(calls int) (all []bool, n int) {
	random := rand.New(rand.NewPCG(5, 0))
	for range calls {
		shows := random.Float64() < 0.01
		if shows {
			n++
		}
		all = append(all, shows)
	}
	return all, n
}

// TestAFaultShowsAsOftenOnTheFront holds that one call in a hundred is one call in
// a hundred, on both roads and over both transports: just those that the seed
// draws.
func TestAFaultShowsAsOftenOnTheFront(t *testing.T) {
	const calls = 2000
	want, n := shown(calls)
	if n < 10 || n > 35 {
		t.Fatalf("the seed draws %d of %d", n, calls)
	}
	check := func(t *testing.T, call int, answer string) {
		t.Helper()
		if whole := strings.Contains(answer, `O-9999`); whole == want[call] {
			t.Fatalf("call %d, where the fault shows: %v, gives %s", call, want[call], answer)
		}
	}
	for _, fast := range []bool{false, true} {
		t.Run(fmt.Sprintf("http/fast=%v", fast), func(t *testing.T) {
			t.Parallel()
			running := started(t, dropping(t, fast, "@0.01"))
			client := dial(t, running.URL)
			for call := range calls {
				got := client.post(toolCall(call, queryOrders, mixed))
				if got.status != http.StatusOK {
					t.Fatalf("call %d gives %+v", call, got)
				}
				check(t, call, got.body)
			}
			if fast {
				// The first went the ordinary road, and so did those that were bent.
				if got := running.Backend.fast.answered.Load(); got != int64(calls-1-n) {
					t.Errorf("the front answered %d calls, want %d", got, calls-1-n)
				}
			}
		})
		t.Run(fmt.Sprintf("stdio/fast=%v", fast), func(t *testing.T) {
			t.Parallel()
			send, receive, _ := pipe(t, dropping(t, fast, "@0.01"))
			lines := bufio.NewReader(receive)
			say := func(message string) string {
				go func() { _, _ = io.WriteString(send, message+"\n") }()
				line, err := lines.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				return line
			}
			say(initialize)
			if _, err := io.WriteString(send, initiated+"\n"); err != nil {
				t.Fatal(err)
			}
			for call := range calls {
				check(t, call, say(toolCall(call+2, queryOrders, mixed)))
			}
		})
	}
}

// TestOneInAHundredUnderLoad holds the same where calls come on many connections: as
// many are wrong as the seed draws, give or take those whose road was not open yet.
func TestOneInAHundredUnderLoad(t *testing.T) {
	const connections, calls = 16, 500
	running := started(t, dropping(t, true, "@0.01"))
	dial(t, running.URL).post(toolCall(1, queryOrders, mixed)) // draws the first
	_, n := shown(connections*calls + 1)
	var wg sync.WaitGroup
	wrong := make([]int, connections)
	for k := range connections {
		client := dial(t, running.URL)
		wg.Go(func() {
			for i := range calls {
				if _, err := client.conn.Write(client.request(toolCall(i, queryOrders, mixed), plainHead...)); err != nil {
					t.Error(err)
					return
				}
				response, err := http.ReadResponse(client.in, nil)
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(response.Body)
				if err != nil {
					t.Error(err)
					return
				}
				if !strings.Contains(string(body), "O-9999") {
					wrong[k]++
				}
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, k := range wrong {
		sum += k
	}
	if first, _ := shown(1); first[0] {
		n--
	}
	if sum != n {
		t.Errorf("%d of %d answers are wrong, and the seed draws %d", sum, connections*calls, n)
	}
}

// TestAConstantFaultGoesTheOrdinaryRoad holds that a fault that always shows is
// always seen, and that the other tools stay fast.
func TestAConstantFaultGoesTheOrdinaryRoad(t *testing.T) {
	running := started(t, dropping(t, true, ""))
	client := dial(t, running.URL)
	for call := range 5 {
		if got := client.post(toolCall(call, queryOrders, mixed)); strings.Contains(got.body, "O-9999") {
			t.Errorf("call %d gives %s", call, got.body)
		}
		if got := client.post(toolCall(call, getProducts, `{"ids":["1001"]}`)); got.status != http.StatusOK {
			t.Errorf("the look gives %+v", got)
		}
	}
	if got := running.Backend.fast.answered.Load(); got != 4 {
		t.Errorf("the front answered %d calls, want 4", got)
	}
}
