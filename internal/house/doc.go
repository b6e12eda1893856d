// Package house keeps the repository's own rules: which folder may import which,
// and what may not stand in it. It holds tests and nothing else.
package house
