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
		if o.Sent == nil || len(o.Sent.Body) == 0 {
			continue
		}
		session, messages := o.Session, []frame.Message(nil)
		c := rec.Call(o.Call)
		if c != nil && session == "" {
			session = c.Session
		}
		if c != nil && c.Sent == o {
			messages = c.Asked()
		} else { // sent again, or sent while the call was under way
			messages = frame.ReadMessages(o.Sent.Body)
		}
		for _, m := range messages {
			x.sent(session, m)
		}
	}
	for _, r := range all {
		for _, m := range r.messages {
			if isResponse(m) && m.ID != nil && !r.misplaced(m) {
				at := spot{r.session, frame.Key(m.ID)}
				x.answers[at] = append(x.answers[at], answerTo{m, r})
			}
		}
	}
	for _, c := range rec.Calls {
		if isDelete(c) && c.Last() != nil && c.Last().Status >= 200 && c.Last().Status < 300 {
			x.deleted[c.Session] = c.Received[len(c.Received)-1].Seq
		}
	}
	return x
}

// misplaced tells a response that came in the HTTP answer to another request
// than its own: no client looks for it there. PRO-06 tells of it.
func (r *reception) misplaced(m frame.Message) bool {
	if r.call == nil || r.in.Received.Channel != conform.ChannelHTTP {
		return false
	}
	own, ok := asked(r.call)
	return ok && own.Kind == frame.Request && frame.Key(own.ID) != frame.Key(m.ID)
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
	case m.Kind == frame.Notification && m.Method == "notifications/cancelled":
		x.cancelled[spot{session, frame.Key(m.Params.Get("requestId"))}] = true
	}
}

// afterDelete tells whether the call was sent to a session already deleted.
func (x *exchange) afterDelete(c *conform.Call) bool {
	seq, ok := x.deleted[c.Session]
	return ok && c.Sent != nil && c.Sent.Seq > seq
}

func isDelete(c *conform.Call) bool {
	return c.Sent != nil && c.Sent.Sent != nil && c.Sent.Sent.Method == "DELETE"
}

// asked is the one message of a call; ok is false where there is none, or no
// single one.
func asked(c *conform.Call) (m frame.Message, ok bool) {
	sent := c.Asked()
	if len(sent) != 1 {
		return m, false
	}
	return sent[0], sent[0].Kind != frame.Broken
}
