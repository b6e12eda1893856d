package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/history"
)

// History draws the histories of a report that no order explains, as one HTML page; a
// report without any makes a page that says so.
func History(w io.Writer, r Report) error {
	var all []conform.History
	for _, f := range r.Findings {
		if f.History != nil {
			all = append(all, harmless(*f.History))
		}
	}
	if len(all) == 0 {
		_, err := io.WriteString(w, noHistory)
		return err
	}
	return history.Picture(w, all)
}

// harmless gives a history whose texts can be shown to a person.
func harmless(h conform.History) conform.History {
	h.Events = slices.Clone(h.Events)
	for i := range h.Events {
		e := &h.Events[i]
		for _, text := range []*string{&e.Call, &e.Session, &e.Protocol, &e.Seen} {
			*text = brief(*text, mostName)
		}
	}
	return h
}

const noHistory = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>mcpconform: histories</title>
<p>CON-05 found no history that no order explains, so that there is nothing to draw.</p></html>
`

const (
	mostHappenings = 12 // lines of a time line
	mostColumns    = 24 // of its bars
)

// history writes a time line: who was out when, with places in order and not in scale,
// since a look may take a thousand times as long as a call.
func (p *page) history(h *conform.History) {
	if h == nil || len(h.Events) == 0 {
		return
	}
	p.field(2, "history", fmt.Sprintf("of %s, %s (%s); milliseconds from the first look", brief(h.Item, mostName), brief(h.Semantics, mostName), brief(h.Known, mostName)))
	events := h.Events
	bars := bars(events)
	left := 0
	for i := range events {
		if n := len(events); n > mostHappenings && i >= mostHappenings/2 && i < n-mostHappenings/2 {
			left++
			continue
		}
		if left > 0 {
			p.raw(2, fmt.Sprintf("… %d more …", left))
			left = 0
		}
		p.raw(2, fmt.Sprintf("%17s  %s  %s", clock(events[0], events[i]), bars[i], brief(happened(events[i]), mostName)))
	}
}

// clock says from when to when something happened.
func clock(first, e conform.Happening) string {
	ms := func(at int64) string { return fmt.Sprintf("%.1f", float64(at)/1e6) }
	from := ms(int64(e.From - first.To))
	switch {
	case e == first:
		return "0.0"
	case e.Over == 0:
		return from + " …"
	}
	return from + " … " + ms(int64(e.To-first.To))
}

// happened says what happened, in a line.
func happened(e conform.Happening) string {
	if e.Kind == conform.Looked {
		return "look: " + e.Seen
	}
	words := fmt.Sprintf("%s on %s: %s", e.Call[strings.LastIndex(e.Call, "/")+1:], e.Session, e.Said)
	if e.Protocol != "" {
		words += ", " + e.Protocol
	}
	return words
}

// bars draws each happening over the places at which something began or was over.
func bars(events []conform.Happening) []string {
	places := map[int64]int{}
	for _, at := range instants(events) {
		places[at] = len(places)
	}
	last := max(1, len(places)-1)
	column := func(at int64) int { return places[at] * min(mostColumns, 2*last) / last }
	width := column(instants(events)[len(places)-1]) + 1
	drawn := make([]string, len(events))
	for i, e := range events {
		from, to := column(e.Begun), width-1
		if e.Over > 0 {
			to = column(e.Over)
		}
		bar := "│"
		switch {
		case e.Over == 0:
			bar = "├" + strings.Repeat("─", max(0, to-from-1)) + "▸"
			to = max(to, from+1)
		case to > from:
			bar = "├" + strings.Repeat("─", to-from-1) + "┤"
		}
		drawn[i] = strings.Repeat(" ", from) + bar + strings.Repeat(" ", max(0, width-1-to))
	}
	return drawn
}

// instants gives when something began or was over, in order, each once.
func instants(events []conform.Happening) []int64 {
	var all []int64
	for _, e := range events {
		all = append(all, e.Begun)
		if e.Over > 0 {
			all = append(all, e.Over)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
