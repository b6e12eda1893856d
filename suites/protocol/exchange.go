package protocol

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

// spot is an id in a session: ids are unique within one.
type spot struct{ session, id string }

// exchange is who asked what under which id, and what came back for it.
type exchange struct {
	sends     map[spot]int
	cancelled map[spot]bool
	answers   map[spot][]answerTo
	ids       map[string]map[string]bool // of every request sent, by session
	deleted   map[string]int64           // session: number of its accepted DELETE's answer
}

// answerTo is a response and the reception it came in.
type answerTo struct {
	message frame.Message
	in      *reception
}

type exchangeKey struct{}

func exchanges(rec *conform.Recording) *exchange {
	all := receptions(rec) // before Memo: it must not be entered twice
	return rec.Memo(exchangeKey{}, func() any { return newExchange(rec, all) }).(*exchange)
}

func newExchange(rec *conform.Recording, all []*reception) *exchange {
	x := &exchange{
		sends: map[spot]int{}, cancelled: map[spot]bool{}, answers: map[spot][]answerTo{},
		ids: map[string]map[string]bool{}, deleted: map[string]int64{},
	}
	for i := range rec.Observations {
		o := &rec.Observations[i]
		if o.Sent == nil {
			continue
		}
		for _, m := range frame.ReadMessages(o.Sent.Body) {
			x.sent(o.Session, m)
		}
	}
	for _, r := range all {
		for _, m := range r.messages {
			if isResponse(m) && !r.misplaced(m) {
				at := spot{r.session, frame.Key(m.ID)}
				x.answers[at] = append(x.answers[at], answerTo{m, r})
			}
		}
	}
	for _, c := range rec.Calls {
		if isDelete(c) && c.Last() != nil && accepted(c.Last().Status) {
			x.deleted[c.Session] = c.Received[len(c.Received)-1].Seq
		}
	}
	return x
}

// misplaced tells a response that came in the HTTP answer to another message
// than its own request: no client looks for it there. PRO-06 tells of it.
func (r *reception) misplaced(m frame.Message) bool {
	return r.in.Received.Channel == conform.ChannelHTTP && frame.Key(asked(r.call).ID) != frame.Key(m.ID)
}

func (x *exchange) sent(session string, m frame.Message) {
	switch {
	case m.Kind == frame.Request:
		key := frame.Key(m.ID)
		x.sends[spot{session, key}]++
		if x.ids[session] == nil {
			x.ids[session] = map[string]bool{}
		}
		x.ids[session][key] = true
	case m.Method == "notifications/cancelled":
		x.cancelled[spot{session, frame.Key(m.Params.Get("requestId"))}] = true
	}
}

// afterDelete tells whether the call was sent to a session already deleted.
func (x *exchange) afterDelete(c *conform.Call) bool {
	seq, ok := x.deleted[c.Session]
	return ok && c.Sent != nil && c.Sent.Seq > seq
}

func isDelete(c *conform.Call) bool {
	return c.Sent != nil && c.Sent.Sent.Method == "DELETE"
}

// asked is the one message of a call; a Broken one where there is none, or no
// single one.
func asked(c *conform.Call) frame.Message {
	sent := c.Asked()
	if len(sent) != 1 {
		return frame.Message{}
	}
	return sent[0]
}
