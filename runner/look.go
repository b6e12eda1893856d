package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/discover"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// Bounds on resources/list: the URIs serve as examples, and a few are enough.
const (
	mostResources     = 24
	mostResourcePages = 4
)

// Look connects, lists the tools (all pages) and the resources, and guesses what a
// target file would say. It calls nothing but list methods; with callReadOnly also
// tools of which the server says that they only read, for example items. The error
// is a *UsageError, an *UnreachedError, the context's, or a fault of ours.
func Look(ctx context.Context, file *target.File, o Options, callReadOnly bool) (found *discover.Found, err error) {
	err = listed(ctx, file, o, func(r *run) {
		found = r.guess(ctx, callReadOnly)
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// Listing connects, lists the tools, all pages, and gives what was recorded. Its
// errors are those of Look.
func Listing(ctx context.Context, file *target.File, o Options) (rec *conform.Recording, err error) {
	err = listed(ctx, file, o, func(r *run) {
		rec = conform.NewRecording(r.header, r.record.observations())
	})
	if err != nil {
		return nil, err
	}
	return rec, nil
}

// listed connects, lists the tools, and has something done with the connection.
func listed(ctx context.Context, file *target.File, o Options, then func(*run)) (err error) {
	set, _, err := checksOf(o.catalogue(file), nil, nil, nil)
	if err != nil {
		return err
	}
	bound, remove, err := file.MakeRunDir()
	if err != nil {
		return &UsageError{Err: err}
	}
	defer func() { err = errors.Join(err, remove()) }()
	r := newRun(bound, o, set)
	defer r.launch(ctx)()
	defer r.close(ctx)
	if r.stop.cause == "" {
		err = r.connect(ctx)
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case r.stop.cause != "":
		return &UnreachedError{r.stop.class, r.stop.cause}
	}
	if rec := conform.NewRecording(r.header, r.record.observations()); !rec.Listed {
		return &UnreachedError{conform.EndGone, "the server did not list its tools"}
	}
	then(r)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// guess guesses from the listing what a target file would say.
func (r *run) guess(ctx context.Context, callReadOnly bool) *discover.Found {
	tools := r.tools()
	found := discover.Look(tools, r.resources(ctx))
	if callReadOnly {
		asked := 0
		found.Learn(func(tool string, arguments json.RawMessage) *rawjson.Node {
			if ctx.Err() != nil {
				return nil
			}
			asked++
			params, _ := json.Marshal(map[string]any{"name": tool, "arguments": arguments}) // both encode
			return r.ask(ctx, fmt.Sprintf("look/%s/%d", main, asked), conform.Planned{Role: conform.RoleItems, Method: "tools/call", Tool: tool},
				wire.Request{Method: "tools/call", Params: params}).Result
		})
	}
	return found
}

// resources gives the URIs of resources/list, where the server says that it has any.
func (r *run) resources(ctx context.Context) []string {
	if r.session[main].Server.Capabilities.Get("resources") == nil {
		return nil
	}
	var all []string
	cursor := ""
	for page := 1; page <= mostResourcePages; page++ {
		params := json.RawMessage(`{}`)
		if cursor != "" {
			params, _ = json.Marshal(map[string]string{"cursor": cursor}) // a string always encodes
		}
		reply := r.ask(ctx, fmt.Sprintf("look/%s/resources-list.%d", main, page), conform.Planned{Role: conform.RoleList, Method: "resources/list"},
			wire.Request{Method: "resources/list", Params: params})
		list := reply.Result.Get("resources")
		if !list.Is(rawjson.Array) {
			return all
		}
		for _, n := range list.Items {
			if uri, ok := n.Get("uri").Str(); ok && len(all) < mostResources {
				all = append(all, uri)
			}
		}
		next, more := reply.Result.Get("nextCursor").Str()
		if !more || next == "" || next == cursor || len(next) > conform.MostCursor || len(all) == mostResources {
			return all
		}
		cursor = next
	}
	return all
}

// withoutFile says in one line what a target file would add to a run without one.
func (r *run) withoutFile() []string {
	if r.file.Path != "" || r.file.Demonstration || r.stop.cause != "" || len(r.tools()) == 0 {
		return nil
	}
	found := discover.Look(r.tools(), nil)
	if len(found.Operations) == 0 {
		return []string{fmt.Sprintf("no target file was given, and none of %s seems to take several items: `mcpconform init` would add nothing", reports.Amount(found.Tools, "tool", "tools"))}
	}
	return []string{fmt.Sprintf("no target file was given; `mcpconform init -o target.yaml %s` would write one with %s, to be looked at and then run", r.opts.Selector, found.Summary())}
}
