package main

// because says why a goal is missed, as far as it is understood. It is written where the
// goal is missed, and not where it is met.
func because(*goal) string { return "" }
