// Package switches is what mutated source calls where it could be changed. All
// mutants of a package are compiled in at once, each behind a switch, and one
// environment variable says which of them is on: so a package is compiled once,
// and not once a mutant.
//
// The source of this package is copied into the module under test. It may import
// only the standard library.
package switches

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"sync"
)

// The variables that a mutated program reads when it starts.
const (
	EnvOn     = "MUTANT_ON"     // the number of the mutant that is on
	EnvRecord = "MUTANT_RECORD" // a file that gets the number of each mutant that would have changed something
	EnvBudget = "MUTANT_BUDGET" // how many switches may be passed before the program counts as one that never ends
)

// ExitSpent is the exit code of a program that has spent its budget.
const ExitSpent = 97

// What is read at every switch is plain memory: a mutant is turned on before
// anything runs, and a count that loses a few does no harm.
var (
	active    int
	passed    int64
	budget    int64
	recording bool

	seen sync.Map // mutant → true
	tell func(int)
)

func init() {
	if n, err := strconv.Atoi(os.Getenv(EnvOn)); err == nil {
		active = n
	}
	if n, err := strconv.ParseInt(os.Getenv(EnvBudget), 10, 64); err == nil {
		budget = n
	}
	name := os.Getenv(EnvRecord)
	if name == "" {
		return
	}
	// A test binary ends by os.Exit, so each mutant is written when it is met.
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		fmt.Fprintln(os.Stderr, "recording mutants:", err)
		os.Exit(2)
	}
	Record(func(id int) { fmt.Fprintln(f, id) })
}

// Turn turns a mutant on, and the one before off; 0: none is on. The budget
// begins anew. Nothing mutated may run meanwhile.
func Turn(id int) { active, passed = id, 0 }

// Record tells each mutant once that would have changed something where it was
// passed; nil ends that, and forgets who was told. Nothing mutated may run
// meanwhile.
func Record(to func(id int)) {
	recording, tell = to != nil, to
	seen.Clear()
}

// on tells whether a mutant is on. differs tells whether it would change
// something here.
func on(id int, differs bool) bool {
	passed++
	if budget > 0 && passed > budget {
		os.Exit(ExitSpent)
	}
	if recording && differs {
		if _, known := seen.LoadOrStore(id, true); !known {
			tell(id)
		}
	}
	return active == id
}

// On tells whether a mutant is on that leaves a statement out, or puts one in.
func On(id int) bool { return on(id, true) }

// True is a condition that the mutant makes true.
func True[B ~bool](id int, x B) B {
	return B(on(id, !bool(x))) || x
}

// False is a condition that the mutant makes false.
func False[B ~bool](id int, x B) B {
	return B(!on(id, bool(x))) && x
}

// Not is a literal that the mutant turns round.
func Not[B ~bool](id int, x B) B {
	if on(id, true) {
		return !x
	}
	return x
}

// Less is x < y; mutated, x <= y.
func Less[T cmp.Ordered](id int, x, y T) bool {
	return on(id, x == y) && x == y || x < y
}

// AtMost is x <= y; mutated, x < y.
func AtMost[T cmp.Ordered](id int, x, y T) bool {
	return !(on(id, x == y) && x == y) && x <= y
}

// More is x > y; mutated, x >= y.
func More[T cmp.Ordered](id int, x, y T) bool { return Less(id, y, x) }

// AtLeast is x >= y; mutated, x > y.
func AtLeast[T cmp.Ordered](id int, x, y T) bool { return AtMost(id, y, x) }

// Number is what one can reckon with.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// Integer is a number without a fraction.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Plus is x + y; mutated, x - y.
func Plus[T Number](id int, x, y T) T {
	if on(id, x+y != x-y) {
		return x - y
	}
	return x + y
}

// Minus is x - y; mutated, x + y.
func Minus[T Number](id int, x, y T) T {
	if on(id, x+y != x-y) {
		return x + y
	}
	return x - y
}

// Times is x * y; mutated, x / y.
func Times[T Number](id int, x, y T) T {
	if on(id, y == 0 || x*y != x/y) {
		return x / y
	}
	return x * y
}

// Over is x / y; mutated, x * y.
func Over[T Number](id int, x, y T) T {
	if on(id, y == 0 || x*y != x/y) {
		return x * y
	}
	return x / y
}

// Rest is x % y; mutated, x * y.
func Rest[T Integer](id int, x, y T) T {
	if on(id, y == 0 || x%y != x*y) {
		return x * y
	}
	return x % y
}

// Next is a whole number; mutated, the next one.
func Next[T Integer](id int, n T) T {
	if on(id, true) {
		return n + 1
	}
	return n
}

// Zero is a value; mutated, the zero value of its type.
func Zero[T any](id int, v T) T {
	if on(id, recording && !isZero(v)) {
		var zero T
		return zero
	}
	return v
}

func isZero[T any](v T) bool { return reflect.ValueOf(&v).Elem().IsZero() }

// OtherWord is one of a type's named texts; mutated, no text.
func OtherWord[T ~string](id int, v T) T {
	if on(id, v != "") {
		return ""
	}
	return v
}

// OtherNumber is one of a type's named numbers; mutated, its zero value, and
// where it is that, the one after it.
func OtherNumber[T Integer](id int, v T) T {
	switch {
	case !on(id, true):
		return v
	case v == 0:
		return 1
	}
	return 0
}

// CaseWord is a case of a switch over texts; mutated, one that is never met.
func CaseWord[T ~string](id int, v T) T {
	if on(id, true) {
		return v + "\x00never"
	}
	return v
}

// CaseNumber is a case of a switch over numbers; mutated, one that is never met.
func CaseNumber[T Integer](id int, v T) T {
	if on(id, true) {
		return v + 101
	}
	return v
}
