// Package proctree tells what processes and all that they started use: processor
// time, resident memory, threads. A server is often a script that starts the real
// one, or has workers. It reads what Linux tells of processes in /proc; elsewhere
// nothing is known. It starts and ends nothing.
package proctree
