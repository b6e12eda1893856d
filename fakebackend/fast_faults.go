package fakebackend

import (
	"encoding/json"
	"slices"
	"strconv"
)

// drawn is which faults show in one call, by their place in the options, where the
// fast front has drawn for them all. nil: it has not, and each fault draws when it
// could show.
type drawn []int

// drawnMark is where the front puts what it drew into _meta, for a call that it
// hands on because a fault shows in it.
const drawnMark = ownPrefix + "faults"

// draw draws which faults show in a call of a tool. Each is drawn for once, so that
// it shows as often as on the ordinary road.
func (fs faults) draw(tool string) drawn {
	d := drawn{}
	for _, f := range fs {
		if (f.how.on.has(tool) || f.how.wire.ask != nil) && f.shows(nil) {
			d = append(d, f.place)
		}
	}
	return d
}

// marked puts what was drawn into a plain call of a tool.
func (d drawn) marked(message []byte) []byte {
	v, err := decode(message)
	m, ok := v.(*object)
	if err != nil || !ok {
		return message
	}
	params := m.child("params")
	meta := params.child("_meta")
	if meta == nil {
		meta = &object{}
		params.add("_meta", meta)
	}
	places := make([]any, len(d))
	for i, place := range d {
		places[i] = json.Number(strconv.Itoa(place))
	}
	meta.set(drawnMark, places)
	return encode(m)
}

// drawnIn reads what the front drew from the params of a call.
func drawnIn(params *object) drawn {
	places, ok := params.child("_meta").get(drawnMark).([]any)
	if !ok {
		return nil
	}
	d := drawn{}
	for _, one := range places {
		if n, ok := one.(json.Number); ok {
			place, _ := strconv.Atoi(string(n)) // what is no number is the first's
			d = append(d, place)
		}
	}
	return d
}

// drawnOf reads the same from _meta as the SDK gives it.
func drawnOf(meta map[string]any) drawn {
	places, ok := meta[drawnMark].([]any)
	if !ok {
		return nil
	}
	d := drawn{}
	for _, one := range places {
		if n, ok := one.(float64); ok {
			d = append(d, int(n))
		}
	}
	return d
}

// has tells whether the front has drawn that a fault shows.
func (d drawn) has(place int) bool { return slices.Contains(d, place) }
