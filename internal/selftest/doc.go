// Package selftest proves the tool on the user's own machine: every fault of
// the fake backend is played for real and must be caught by the check it breaks
// and by no other; good servers, and lawful ones that look odd, must be accused
// of nothing.
//
// It judges with the same functions as a run does. It knows nothing of what a
// check looks at; all that it compares is which rule was said to be broken.
package selftest
