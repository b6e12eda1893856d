// Package bare is an MCP server that does next to nothing, to measure clients by: it
// answers tools/call from answers that are ready but for the id. It is no example of a
// server: it checks nothing, and believes what it is told.
//
// It has one tool, query, that takes items of the form {"id": "…"} and gives a row for
// each. Answers are kept by a request's length and its first item, so callers must ask
// for items of one width, in order, from the first one on.
//
// Over HTTP the path says how it answers. Words may be put together, as in /sse/differs:
//
//	differs   answers differ from call to call, in a text that no rule looks at
//	sse       as an event stream
//	slow      after 10 ms
//	truth     no call: how long the slow calls took since this was asked last
package bare
