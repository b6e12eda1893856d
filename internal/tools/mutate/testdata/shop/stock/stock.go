// Package stock is a small package for mutate to try itself on.
package stock

import "fmt"

// Kind is what an item is.
type Kind int

// The kinds.
const (
	Unknown Kind = iota
	Book
	Mug
)

// rates are read while the program starts.
var rates = map[Kind]int{Book: 7, Mug: 19}

// Enough tells whether there is enough of something: at least what is wanted,
// and something is wanted.
func Enough(have, wanted int) bool {
	return wanted > 0 && have >= wanted
}

// Sum adds prices up; a negative one ends the list.
func Sum(prices []int) int {
	sum := 0
	for _, price := range prices {
		if price < 0 {
			break
		}
		sum += price
	}
	return sum
}

// KindOf reads a kind.
func KindOf(name string) (Kind, error) {
	switch name {
	case "book":
		return Book, nil
	case "mug":
		return Mug, nil
	}
	return Unknown, fmt.Errorf("%q is no kind", name)
}

// Rate is a kind's tax rate in per cent.
func Rate(k Kind) int { return rates[k] }

// Untested is what no test calls.
func Untested(n int) bool { return n > 1 }

// Positive has a condition that changes nothing: what it guards gives the same.
func Positive(n int) int {
	if n == 0 {
		return 0
	}
	return max(n, 0)
}

// Forever would not end without its last statement.
func Forever(n int) int {
	steps := 0
	for n > 0 {
		steps++
		n--
	}
	return steps
}

// Never gives nothing: it ends by a panic, which cannot be left out.
func Never() int {
	panic("never")
}
