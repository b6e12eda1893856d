package fakebackend

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// roundsLast is how long a client may take from one round to the next.
const roundsLast = 10 * time.Minute

// roundsState is what requestState carries from one round to the next. It goes
// through the client, and is signed.
type roundsState struct {
	Answered int    `json:"answered"` // questions that were agreed to
	Call     []byte `json:"call"`     // what the call asks for
	Until    int64  `json:"until"`    // Unix seconds
	Once     string `json:"once"`     // the same in every round of a call
}

// badState refuses a requestState that is none of ours, or of another call.
func badState(why string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState " + why}
}

// askByResult asks by an input_required result, one question a round.
func (a *asker) askByResult(b *Backend, w write, questions []question) error {
	at := roundsState{Once: rand.Text()}
	if a.state != "" {
		var err error
		if at, err = b.rounds.open(a.state, b.clock.Now(), w); err != nil {
			return err
		}
		q := questions[at.Answered]
		if got, ok := a.responses[q.name].(*mcp.ElicitResult); ok {
			switch yes, answered := q.read(got); {
			case !answered: // the same question again
			case !yes:
				b.rounds.spend(at)
				return errDeclined
			default:
				at.Answered++
			}
		}
	}
	if at.Answered == len(questions) {
		if !b.rounds.spend(at) {
			return badState("was used before")
		}
		return nil
	}
	q := questions[at.Answered]
	a.requests = mcp.InputRequestMap{q.name: q.request()}
	a.next = b.rounds.seal(at, b.clock.Now(), w)
	return errAsked
}

// rounds signs and reads requestState, and lets none be used twice: what the user
// agreed to is done once.
type rounds struct {
	secret []byte

	mu    sync.Mutex
	spent map[string]time.Time // until when it would have been good
}

func newRounds() *rounds {
	return &rounds{secret: []byte(rand.Text()), spent: map[string]time.Time{}}
}

// seal makes the state of the next round.
func (r *rounds) seal(at roundsState, now time.Time, w write) string {
	asked := w.asked()
	at.Call, at.Until = asked[:], now.Add(roundsLast).Unix()
	text, err := json.Marshal(at)
	if err != nil {
		return "" // a struct of numbers and texts can be encoded
	}
	return base64.RawURLEncoding.EncodeToString(text) + "." + base64.RawURLEncoding.EncodeToString(r.sign(text))
}

func (r *rounds) sign(text []byte) []byte {
	mac := hmac.New(sha256.New, r.secret)
	mac.Write(text)
	return mac.Sum(nil)
}

// open reads a state of ours that is for this call and not too old.
func (r *rounds) open(state string, now time.Time, w write) (roundsState, error) {
	left, right, _ := strings.Cut(state, ".")
	text, err1 := base64.RawURLEncoding.DecodeString(left)
	mac, err2 := base64.RawURLEncoding.DecodeString(right)
	if err1 != nil || err2 != nil || !hmac.Equal(mac, r.sign(text)) {
		return roundsState{}, badState("is none of this server's")
	}
	var at roundsState
	if err := json.Unmarshal(text, &at); err != nil {
		return roundsState{}, badState("is none of this server's")
	}
	asked := w.asked()
	switch {
	case !hmac.Equal(at.Call, asked[:]):
		return roundsState{}, badState("is another call's")
	case now.Unix() > at.Until:
		return roundsState{}, badState("has expired")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.spent[at.Once]; ok {
		return roundsState{}, badState("was used before")
	}
	return at, nil
}

// spend uses up every state of a call; false if that was done before.
func (r *rounds) spend(at roundsState) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.spent[at.Once]; ok {
		return false
	}
	until := time.Unix(at.Until, 0)
	for once, end := range r.spent {
		if end.Before(until.Add(-2 * roundsLast)) {
			delete(r.spent, once)
		}
	}
	r.spent[at.Once] = until
	return true
}
