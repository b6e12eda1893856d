package measure

import (
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// elapsed is the time from the request sent to its answer whole, or, where no
// answer came, to the last thing that did. False: nothing came, or the
// recording's times run backwards.
func elapsed(call *conform.Call) (time.Duration, bool) {
	var end *conform.Observation
	how := call.Ending()
	switch {
	case how.Response != nil:
		end = how.Response.In
	case len(how.Received) > 0:
		end = how.Received[len(how.Received)-1]
	}
	if end == nil || end.At < call.Sent.At {
		return 0, false
	}
	return end.At - call.Sent.At, true
}

// succeeded tells a call that was answered with a result, whole and without an
// error at any layer, from one that was not. Whether the result is right is
// for the checks to say.
func succeeded(call *conform.Call) bool {
	how := call.Ending()
	if how.Response == nil || how.Response.In == nil || how.Response.In.Received == nil || how.Result == nil {
		return false
	}
	in := how.Response.In.Received
	if in.End != conform.Complete || in.Channel == conform.ChannelHTTP && (in.Status < 200 || in.Status > 299) {
		return false
	}
	isError, _ := how.Result.Get("isError").Bool()
	return !isError
}

// form is how the answer came; empty where none did.
func form(call *conform.Call) string {
	if call.Response == nil || call.Response.In == nil || call.Response.In.Received == nil {
		return ""
	}
	in := call.Response.In.Received
	switch {
	case in.Channel != conform.ChannelHTTP:
		return FormStdio
	case conform.MediaType(in.Header) == "text/event-stream":
		return FormSSE
	}
	return FormJSON
}
