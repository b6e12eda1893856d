// Package history tells whether some order of what happened to an item explains all
// that was answered and seen: whether its history is linearizable (Herlihy and Wing,
// 1990). Each call takes effect at one instant between its sending and its answer; one
// without an answer may take effect at any time, or never. The search is porcupine's.
//
// It is a pure function, bounded in steps and never by time, so that a recording is
// judged the same on every machine. What is too hard is unknown.
package history
