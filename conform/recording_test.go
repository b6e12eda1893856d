package conform

import "testing"

func planned(call string, p Planned) Observation {
	return Observation{Kind: KindPlanned, Call: call, Session: "s1", Planned: &p}
}

func sent(call, body string) Observation {
	return Observation{Kind: KindSent, Call: call, Session: "s1", Sent: &Sent{Channel: ChannelHTTP, Body: Bytes(body)}}
}

func received(call, media, body string) Observation {
	return Observation{Kind: KindReceived, Call: call, Session: "s1", Received: &Received{Channel: ChannelHTTP, Status: 200, End: Complete,
		Header: []HeaderField{{"Content-Type", media}}, Body: Bytes(body)}}
}

func TestRecordingTiesAnswersToCalls(t *testing.T) {
	rec := NewRecording(Header{}, []Observation{
		planned("init", Planned{Role: RoleLifecycle, Method: "initialize"}),
		sent("init", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`),
		received("init", "application/json; charset=utf-8", `{"id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"shop","version":"2"}}}`),
		planned("page", Planned{Role: RoleList, Method: "tools/list"}),
		sent("page", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`),
		received("page", "application/json", `{"id":2,"result":{"tools":[{"name":"cancel","annotations":{"readOnlyHint":false}},null,{"title":"nameless"}]}}`),
		planned("again", Planned{Role: RoleList, Method: "tools/list", Step: "string-id"}),
		sent("again", `{"jsonrpc":"2.0","id":"c-3","method":"tools/list"}`),
		received("again", "application/json", `{"id":"c-3","result":{"tools":[{"name":"cancel"}]}}`),
		planned("call", Planned{Role: RolePrimary, Method: "tools/call", Operation: "cancel"}),
		sent("call", `{"jsonrpc":"2.0","id":4,"method":"tools/call"}`),
		received("call", "text/event-stream", "data: {\"method\":\"notifications/progress\"}\n\ndata: {\"id\":\"4\",\"result\":{}}\n\ndata: {\"id\":4,\"result\":{\"isError\":true}}\n\n"),
		received("nobody", "application/json", `{}`),
		{Kind: KindEnded, Ended: &Ended{}},
	})
	if got := rec.Revision(); got != "2025-11-25" {
		t.Errorf("revision %q", got)
	}
	if name, version := rec.ServerInfo(); name != "shop" || version != "2" {
		t.Errorf("server %q %q", name, version)
	}
	if len(rec.Tools) != 1 || rec.Tool("cancel") == nil || *rec.Tool("cancel").ReadOnlyHint {
		t.Errorf("tools %+v: a list asked for once more is no page, and nameless entries are none", rec.Tools)
	}
	call := rec.Call("call")
	if len(call.Messages) != 3 || call.Response != &call.Messages[2] {
		t.Errorf("%d messages; the response has the id sent, in type and value", len(call.Messages))
	}
	if yes, _ := call.Result.Get("isError").Bool(); !yes {
		t.Errorf("result %s", call.Result.Excerpt(80))
	}
	if len(rec.Stray) != 1 || rec.Ended == nil || len(rec.Of("cancel")) != 1 {
		t.Errorf("stray %d, ended %v, calls of the operation %d", len(rec.Stray), rec.Ended, len(rec.Of("cancel")))
	}
}

func TestStatelessRevisionIsReadFromTheRequest(t *testing.T) {
	rec := NewRecording(Header{}, []Observation{
		planned("page", Planned{Role: RoleList, Method: "tools/list"}),
		sent("page", `{"id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`),
		received("page", "application/json", `{"id":1,"result":{"tools":[]}}`),
	})
	if got := rec.Revision(); got != Stateless {
		t.Errorf("revision %q", got)
	}
}

func TestMemoDerivesOnce(t *testing.T) {
	type key struct{}
	c, made := &Call{}, 0
	for range 3 {
		c.Memo(key{}, func() any { made++; return made })
	}
	if made != 1 {
		t.Errorf("derived %d times", made)
	}
}

func TestWhatComesAfterWeGaveUpIsNoAnswer(t *testing.T) {
	late := func(end End) *Call {
		observations := []Observation{
			planned("call", Planned{Role: RolePrimary, Method: "tools/call"}),
			sent("call", `{"jsonrpc":"2.0","id":4,"method":"tools/call"}`),
			{Kind: KindReceived, Call: "call", Received: &Received{Channel: ChannelHTTP, End: end}},
			received("call", "application/json", `{"id":4,"result":{}}`),
		}
		for i := range observations {
			observations[i].Seq = int64(i + 1)
		}
		return NewRecording(Header{}, observations).Call("call")
	}
	for end, answered := range map[End]bool{TimedOut: false, Stopped: false, Cut: true} {
		if c := late(end); (c.Response != nil) != answered || len(c.Messages) != 1 {
			t.Errorf("after %s: response %v, messages %d", end, c.Response, len(c.Messages))
		}
	}
}

func TestALostReadThatWasAnsweredTheSecondTime(t *testing.T) {
	for name, c := range map[string]struct {
		again    string // id of the second call
		repeats  string
		answered bool
		want     bool
	}{
		"answered":                 {"look" + Again, "look", true, true},
		"lost again":               {"look" + Again, "look", false, false},
		"a repeat of the scenario": {"replay", "look", true, false},
		"a call that is called so": {"look" + Again, "", true, false},
	} {
		all := []Observation{
			planned("look", Planned{Role: RoleProbe, Method: "tools/call"}), sent("look", `{"id":1,"method":"tools/call"}`),
			{Kind: KindReceived, Call: "look", Received: &Received{Channel: ChannelHTTP, End: Cut}},
			planned(c.again, Planned{Role: RoleProbe, Method: "tools/call", Repeats: c.repeats}), sent(c.again, `{"id":2,"method":"tools/call"}`),
		}
		if c.answered {
			all = append(all, received(c.again, "application/json", `{"id":2,"result":{}}`))
		}
		rec := NewRecording(Header{}, all)
		if got := rec.MadeAgain(rec.Call("look")); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
		if rec.MadeAgain(rec.Call(c.again)) {
			t.Errorf("%s: the second call was made again, too", name)
		}
	}
}

func TestWhatACallRepeatsIsTakenByItsAnswer(t *testing.T) {
	asked := func(all []Observation, id, repeats string, answered bool) []Observation {
		all = append(all, planned(id, Planned{Role: RoleValidator, Method: "tools/call", Repeats: repeats}), sent(id, `{"id":1,"method":"tools/call"}`))
		if answered {
			return append(all, received(id, "application/json", `{"id":1,"result":{}}`))
		}
		return append(all, Observation{Kind: KindReceived, Call: id, Received: &Received{Channel: ChannelHTTP, End: Cut}})
	}
	first, second := func(all []Observation) []Observation { return asked(all, "first", "", true) }, func(all []Observation) []Observation { return asked(all, "second", "first", true) }
	firstAgain := func(answered bool) func([]Observation) []Observation {
		return func(all []Observation) []Observation {
			return asked(asked(all, "first", "", false), "first"+Again, "first", answered)
		}
	}
	secondAgain := func(all []Observation) []Observation {
		return asked(asked(all, "second", "first", false), "second"+Again, "second", true)
	}
	for name, c := range map[string]struct {
		first, second func([]Observation) []Observation
		of, want      string
	}{
		"both answered":            {first, second, "second", "first"},
		"the first repeats nobody": {first, second, "first", ""},
		"the first made once more": {firstAgain(true), second, "second", "first" + Again},
		"nor does it then":         {firstAgain(true), second, "first" + Again, ""},
		"the first lost twice":     {firstAgain(false), second, "second", "first"},
		"the second once more":     {first, secondAgain, "second" + Again, "first"},
		"both made once more":      {firstAgain(true), secondAgain, "second" + Again, "first" + Again},
	} {
		rec := NewRecording(Header{}, c.second(c.first(nil)))
		got := ""
		if earlier := rec.Repeated(rec.Call(c.of)); earlier != nil {
			got = earlier.ID
		}
		if got != c.want {
			t.Errorf("%s: %q repeats %q, wanted %q", name, c.of, got, c.want)
		}
	}
}

// A view may be derived from others of the same recording.
func TestAViewOfViews(t *testing.T) {
	type rows struct{}
	type count struct{}
	r := &Recording{}
	got := r.Memo(count{}, func() any {
		return len(r.Memo(rows{}, func() any { return []string{"a", "b"} }).([]string))
	})
	if got != 2 || r.Memo(count{}, nil) != 2 {
		t.Errorf("%v", got)
	}
}
