// Package load makes tools/calls under load and judges every answer: templates
// that are encoded once and patched, virtual users that send them over lean
// connections, and the two roads by which an answer is judged.
//
// How it is used. A target is opened as for a run, the tools are listed, and a
// Judge is made of the transcript's header and what was recorded of tools/list.
// Then, for each cell:
//
//	ids := load.NewIDs()
//	template, err := load.NewTemplate(session, way, judge, load.Source{…})   // 2 for each user
//	user := &load.User{Conn: way.Open(), Templates: mine, Judge: judge, IDs: ids}
//	difference, err := user.Prime(ctx, session, tape, template)              // each template once
//	call := user.Call(intended)                                              // as often as the plan says
//
// A Call has its times, its bytes, its outcome, and how that was found; the caller
// counts it. A user belongs to one goroutine, and so do its templates: no two users
// share any, and a user takes its own in turn, so that no two calls in flight ask
// for the same items as long as no two templates do (Overlap tells).
//
// What a template learns of one answer serves others that ask for as many items of
// the same truths, so that the checks judge few answers of a server that is in order.
// A user is stopped by its connection's Interrupt, from any goroutine.
//
// How an answer is judged. An answer that is byte for byte the one before, the id
// aside, of the same template has that one's verdict (ByMemory). Else the forward
// pass reads every row against what was asked (package pattern, ByPass). Whatever
// else an answer is, it is a surprise: a recording of that one call is made and
// judged by the checks as a run's would be (Strictly), and what they found is kept
// as an example, up to a bound. A call that has no answer to judge needs none
// (ByTransport). Mode says how much of this is done.
package load
