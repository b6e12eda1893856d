// Command mcpconform connects to any MCP server, plays scripted multi-item
// scenarios against it, judges every answer by the results[] contract, and
// records latency and throughput per batch size.
//
// This package is flags, files, signals, the progress bar and the exit status.
// Everything else is a library: runner, suites, reports.
package main

import "os"

func main() { os.Exit(execute(os.Args[1:], system())) }
