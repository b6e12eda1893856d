// Package wire is a raw MCP client that hides nothing: it composes its own
// messages and ids, speaks streamable HTTP and stdio itself, and records every
// exchange to the byte, below everything that could repair or drop something.
// It judges nothing and repeats nothing; what a server did wrong is in the
// record, and a check says so.
//
// What is recorded. Each HTTP request is one `sent`, each HTTP response one
// `received`, written when it ended. Each line written to a child's standard
// input is one `sent`; each line of its standard output, each piece of its
// standard error and its end is one `received`. Observation.At of a `sent` is
// the moment before the first byte was written; of a `received` it is the
// moment the answer was complete: the end of a JSON body, the end of the event
// that holds the response, the line feed of a line. An event stream that stays
// open after the response (lawful: closing it is a SHOULD) therefore does not
// lengthen the call; it is read for Timeouts.StreamGrace more, so that a second
// response is seen. A call that is given up leaves a `received` that says what
// was waited for; when its answer comes later it is recorded too, under the
// same call.
//
// net/http keeps header fields in a map. Recorded fields are sorted by name,
// which for requests is the order in which they are sent.
//
// Ids. A session numbers its requests 1, 2, 3, … in the order they are made,
// the handshake's first. A caller that wants the bytes of parallel calls not to
// depend on scheduling gives ids of its own, from FirstGivenID up. The session's
// own counter jumps over that range, to firstHighID, so the two never meet.
//
// Calls the package makes itself are planned by it, under these ids (NAME is
// the session's name, with #2, #3, … where a name is opened again):
//
//	connect/NAME/discover        server/discover
//	connect/NAME/ping            only while a child leaves server/discover unanswered
//	connect/NAME/initialize      initialize; a second offer is initialize-2
//	connect/NAME/initialized     notifications/initialized
//	close/NAME/delete            HTTP DELETE of the session id
//	close/NAME/after-delete      ping on the deleted session (Config.ProbeDeleted)
//	CALL/cancelled               notifications/cancelled for a call given up
//
// Answers to what the server asks (ping, elicitation/create, …) have no plan of
// their own: they are recorded under the call during which they were asked, as
// far as that is known.
//
// Under load nothing is recorded call by call: what a session has settled is
// frozen (Session.Freeze, Encode, TakeOver), and package lean sends by it.
package wire
