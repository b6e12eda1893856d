package runner

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/mcpconform/mcpconform/conform"
)

// rewriter gives what is recorded another form: secrets redacted, values masked.
type rewriter interface {
	body(b []byte) []byte     // that went over a connection
	fragment(b []byte) []byte // JSON: arguments, an item
	text(s string) string
	url(s string) string
	fields(header []conform.HeaderField) []conform.HeaderField
}

// rewrite rewrites one observation in place; what it changes is copied first.
func rewrite(o *conform.Observation, r rewriter) {
	switch {
	case o.Planned != nil:
		p := *o.Planned
		p.Arguments, p.Key = fragment(r, p.Arguments), r.text(p.Key)
		p.Items = append([]conform.Item(nil), p.Items...)
		for i := range p.Items {
			item := &p.Items[i]
			item.Given, item.Means, item.Because = fragment(r, item.Given), fragment(r, item.Means), r.text(item.Because)
		}
		o.Planned = &p
	case o.Sent != nil:
		sent := *o.Sent
		sent.Header, sent.Body, sent.URL = r.fields(sent.Header), r.body(sent.Body), r.url(sent.URL)
		o.Sent = &sent
	case o.Received != nil:
		in := *o.Received
		body := in.Body
		in.Header, in.Body, in.Problem = r.fields(in.Header), r.body(body), r.text(in.Problem)
		if !bytes.Equal(body, in.Body) {
			in.Coded = nil // it still holds what was taken out
		} else if in.Coded != nil {
			in.Coded = r.body(in.Coded) // what calls itself coded may be plain
		}
		o.Received = &in
	case o.Effect != nil:
		effect := *o.Effect
		effect.Problem, effect.Eyes = r.text(effect.Problem), r.text(effect.Eyes)
		effect.States, effect.Canaries, effect.Bystanders = states(r, effect.States), states(r, effect.Canaries), states(r, effect.Bystanders)
		o.Effect = &effect
	case o.PutBack != nil:
		put := *o.PutBack
		put.Problem, put.Hands = r.text(put.Problem), r.text(put.Hands)
		put.Items = append([]json.RawMessage(nil), put.Items...)
		for i := range put.Items {
			put.Items[i] = fragment(r, put.Items[i])
		}
		o.PutBack = &put
	case o.Play != nil:
		play := *o.Play
		play.Smaller = r.text(play.Smaller)
		o.Play = &play
	case o.Skipped != nil:
		skipped := *o.Skipped
		skipped.Reason = r.text(skipped.Reason)
		o.Skipped = &skipped
	case o.Ended != nil:
		ended := *o.Ended
		ended.Cause = r.text(ended.Cause)
		ended.Notes = append([]string(nil), ended.Notes...)
		for i := range ended.Notes {
			ended.Notes[i] = r.text(ended.Notes[i])
		}
		ended.Left = left(r, ended.Left)
		ended.Unmet = append([]conform.Unmet(nil), ended.Unmet...)
		for i := range ended.Unmet {
			one := &ended.Unmet[i]
			one.Mask, one.Else = r.text(one.Mask), r.text(one.Else)
		}
		o.Ended = &ended
	}
}

func left(r rewriter, list []conform.Left) []conform.Left {
	list = append([]conform.Left(nil), list...)
	for i := range list {
		l := &list[i]
		l.What, l.Item, l.State = r.text(l.What), string(r.fragment([]byte(l.Item))), string(r.fragment([]byte(l.State)))
	}
	return list
}

func fragment(r rewriter, text json.RawMessage) json.RawMessage {
	if text == nil {
		return nil
	}
	return r.fragment(text)
}

func states(r rewriter, states []conform.State) []conform.State {
	if states == nil {
		return nil
	}
	clean := append([]conform.State(nil), states...)
	for i := range clean {
		clean[i].ID = r.text(clean[i].ID)
		if clean[i].State != "" {
			clean[i].State = string(r.fragment([]byte(clean[i].State)))
		}
	}
	return clean
}

// rewriteHeader rewrites what a transcript's header says of a target and of how a
// run was asked for.
func rewriteHeader(h conform.Header, r rewriter) conform.Header {
	h.Run.Command, h.Target.Selector = r.text(h.Run.Command), r.text(h.Target.Selector)
	h.Run.Labels = maps.Clone(h.Run.Labels)
	for key, value := range h.Run.Labels {
		h.Run.Labels[key] = r.text(value)
	}
	h.Target.Operations = append([]conform.Operation(nil), h.Target.Operations...)
	for i := range h.Target.Operations {
		op := &h.Target.Operations[i]
		op.Fixed, op.AuxiliaryFailure = fragment(r, op.Fixed), fragment(r, op.AuxiliaryFailure)
		if op.Results.Async != nil {
			async := *op.Results.Async
			async.Arguments = fragment(r, async.Arguments)
			op.Results.Async = &async
		}
		if op.Results.Next != nil {
			next := *op.Results.Next
			next.Arguments = fragment(r, next.Arguments)
			op.Results.Next = &next
		}
	}
	h.Masked = append([]string(nil), h.Masked...)
	for i := range h.Masked {
		h.Masked[i] = r.text(h.Masked[i])
	}
	return h
}
