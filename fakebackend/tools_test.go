package fakebackend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/unicode/norm"
)

func TestEachItemSucceedsOrFailsOnItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		items string
		want  []string
	}{
		"all good":                {`[{"name":"Product A","id":"1001"},{"name":"Product B","id":"1002"}]`, []string{"1001|Product A|done", "1002|Product B|done"}},
		"unknown first":           {`[{"name":"Product X","id":"9999"},{"id":"1001"}]`, []string{"9999|Product X|not_found", "1001|Product A|done"}},
		"shipped in the middle":   {`["Product A","Product S","Product B"]`, []string{"1001|Product A|done", "2001|Product S|already_shipped", "1002|Product B|done"}},
		"all bad":                 {`["nothing like it","Gift Card"]`, []string{"|nothing like it|not_found", "2002|Gift Card|not_cancellable"}},
		"one, in a list":          {`["Product A"]`, []string{"1001|Product A|done"}},
		"one bare text":           {`"Product A"`, []string{"1001|Product A|done"}},
		"one bare object":         {`{"id":"1001"}`, []string{"1001|Product A|done"}},
		"an id as text":           {`["1001"]`, []string{"1001|Product A|done"}},
		"an id as number":         {`[{"id":1001},1002]`, []string{"1001|Product A|done", "1002|Product B|done"}},
		"an id beyond 2^53":       {`[9007199254740993]`, []string{"9007199254740993|Snowflake Lamp|done"}},
		"case and outer space":    {`["  pRODUCT a ", {"name":" product B","id":"1002"}]`, []string{"1001|  pRODUCT a |done", "1002| product B|done"}},
		"accents are kept":        {`["Resume Folder","Résumé Folder"]`, []string{"1022|Resume Folder|done", "1023|Résumé Folder|done"}},
		"no guessing":             {`["produto a","cafe especial"]`, []string{"|produto a|not_found", "|cafe especial|not_found"}},
		"commas in names":         {`["Cable, 2 m","Máquina de Café, 220 V"]`, []string{"1008|Cable, 2 m|done", "1009|Máquina de Café, 220 V|done"}},
		"the same twice":          {`["Product A","Product A"]`, []string{"1001|Product A|done", "1001|Product A|duplicate_in_call"}},
		"equal by canon":          {`["Product A",{"id":"1001"}," product a"]`, []string{"1001|Product A|done", "1001|Product A|duplicate_in_call", "1001| product a|duplicate_in_call"}},
		"the same bad twice":      {`["Product S","Product S"]`, []string{"2001|Product S|already_shipped", "2001|Product S|already_shipped"}},
		"id and another's name":   {`[{"id":"1001","name":"Product B"},"Product B"]`, []string{"1001|Product B|name_mismatch", "1002|Product B|done"}},
		"marked by a validator":   {`[{"id":"1001","name":"Product A","eligible":true},{"id":"1002","eligible":false,"reason":"not_wanted"}]`, []string{"1001|Product A|done", "1002|Product B|not_eligible"}},
		"marked first, good then": {`[{"id":"1001","eligible":false},{"id":"1001"}]`, []string{"1001|Product A|not_eligible", "1001|Product A|done"}},
		"no items among items":    {`[null,{},"",["Product B"],true,"Product A"]`, []string{"|null|invalid_item", "||invalid_item", "||invalid_item", `|["Product B"]|invalid_item`, "|true|invalid_item", "1001|Product A|done"}},
		"bulk":                    {`[{"name":"Bulk 7","id":"B7"},"bulk 100000","B100001","Bulk 007"]`, []string{"B7|Bulk 7|done", "B100000|bulk 100000|done", "|B100001|not_found", "|Bulk 007|not_found"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := good(t)
			got := client.call(cancelProducts, `{"items":`+c.items+`}`)
			if rows := outcomes(got.body.Results); !slices.Equal(rows, c.want) {
				t.Errorf("rows:\n got %q\nwant %q", rows, c.want)
			}
			succeeded, cancelledNow := 0, 0
			protocols := map[string]bool{}
			for _, r := range got.body.Results {
				if r.Success {
					succeeded++
					protocols[r.Protocol] = true
				}
			}
			for _, e := range client.backend.Effects() {
				if e.Kind == "product-cancelled" {
					cancelledNow++
				}
			}
			if cancelledNow != succeeded || len(protocols) != succeeded {
				t.Errorf("%d rows succeeded with %d protocols, %d things were cancelled", succeeded, len(protocols), cancelledNow)
			}
			if got.body.Total != len(c.want) || got.body.Succeeded != succeeded || got.body.Failed != len(c.want)-succeeded {
				t.Errorf("counts %d, %d, %d of rows %q", got.body.Total, got.body.Succeeded, got.body.Failed, c.want)
			}
			if got.isError != (succeeded == 0) {
				t.Errorf("isError %v with %d successes", got.isError, succeeded)
			}
		})
	}
}

func TestEveryNameOfTheCatalogueInEveryForm(t *testing.T) {
	forms := map[string]func(string) string{
		"NFC": norm.NFC.String, "NFD": norm.NFD.String, "upper": strings.ToUpper,
		"spaced": func(s string) string { return "\t " + s + "\u00a0" },
	}
	for form, write := range forms {
		t.Run(form, func(t *testing.T) {
			b, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []*shelf{b.products, b.subscriptions} {
				for _, e := range s.order {
					r := s.resolve(ref{name: write(e.name), loose: true}, false)
					if !r.found || r.entry.id != e.id {
						t.Errorf("%q is found as %+v", write(e.name), r.entry)
					}
					if back := r.identity().text("name"); back != write(e.name) {
						t.Errorf("%q is said back as %q", write(e.name), back)
					}
				}
			}
		})
	}
}

func TestNothingAskedForIsRefusedWithoutEffect(t *testing.T) {
	client := good(t)
	for tool, argument := range map[string]string{cancelProducts: "items", cancelProductsWorkflow: "items", cancelSubscriptions: "subject", queryOrders: "order_ids"} {
		for _, arguments := range []string{`{}`, fmt.Sprintf(`{%q:[]}`, argument), fmt.Sprintf(`{%q:""}`, argument), fmt.Sprintf(`{%q:null}`, argument), `{"idempotency_key":"k"}`} {
			got := client.call(tool, arguments)
			rows := got.body.Results
			if tool == cancelProductsWorkflow {
				rows = got.body.Output[tool].Results
			}
			if !got.isError || len(rows) != 0 || got.body.Message == "" || got.body.Status != "FAILED" || got.body.OK != nil {
				t.Errorf("%s(%s) says %s", tool, arguments, got.raw)
			}
		}
	}
	if effects := client.backend.Effects(); len(effects) != 0 {
		t.Errorf("effects %v", effects)
	}
}

func TestUnknownArgumentsAreTolerated(t *testing.T) {
	client := good(t)
	extra := `"query":"q","intent":"i","confirmed":true,"session":{"id":[1]},"target_tool":"cancel_products"}`
	for _, call := range []string{cancelProducts + ` {"items":["1001"],`, validateProducts + ` {"items":["1002"],`,
		cancelSubscriptions + ` {"subject":"S-01",`, queryOrders + ` {"order_ids":["O-1001"],`} {
		tool, arguments, _ := strings.Cut(call, " ")
		if got := client.call(tool, arguments+extra); got.isError {
			t.Errorf("%s says %s", tool, got.raw)
		}
	}
}

func TestValidatorNamesEveryItemAndChangesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		items, status string
		eligible      bool
		resolved      []string
	}{
		"all":         {`["produto a",{"id":"1002"}]`, "ELIGIBLE", true, []string{"1001|Product A|", "1002|Product B|"}},
		"some":        {`["produto a","Product X",{"name":"Gift Card","id":"2002"}]`, "PARTIALLY_ELIGIBLE", true, []string{"1001|Product A|", "|Product X|not_found", "2002|Gift Card|not_cancellable"}},
		"none":        {`["Product X"]`, "NOT_ELIGIBLE", false, []string{"|Product X|not_found"}},
		"informal":    {`["CAFE  especial","cable TWO metres","piñata nandu"]`, "ELIGIBLE", true, []string{"1007|Café Especial|", "1008|Cable, 2 m|", "1015|Piñata Ñandú|"}},
		"exact first": {`["Resume Folder","résumé folder"]`, "ELIGIBLE", true, []string{"1022|Resume Folder|", "1023|Résumé Folder|"}},
		"ambiguous":   {`["resumé  folder","Product A"]`, "PARTIALLY_ELIGIBLE", true, []string{"|resumé  folder|ambiguous", "1001|Product A|"}},
		"duplicate":   {`["Product A","produto a"]`, "PARTIALLY_ELIGIBLE", true, []string{"1001|Product A|", "1001|Product A|duplicate_in_call"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := good(t)
			first := client.call(validateProducts, `{"items":`+c.items+`}`)
			again := client.call(validateProducts, `{"items":`+c.items+`}`)
			if first.text != again.text {
				t.Errorf("two answers to one question:\n%s\n%s", first.text, again.text)
			}
			if *first.body.Eligible != c.eligible || first.body.Status != c.status || first.isError {
				t.Errorf("says %s", first.raw)
			}
			if (c.status == "ELIGIBLE") != (first.body.Reason == "") {
				t.Errorf("reason %q", first.body.Reason)
			}
			var arguments struct {
				Items []struct {
					ID, Name, Reason string
					Eligible         bool
				}
			}
			if err := json.Unmarshal(first.body.Decision.Resolved, &arguments); err != nil {
				t.Fatal(err)
			}
			var resolved []string
			for _, item := range arguments.Items {
				resolved = append(resolved, item.ID+"|"+item.Name+"|"+item.Reason)
				if item.Eligible != (item.Reason == "") {
					t.Errorf("item %+v", item)
				}
				if c.eligible && !strings.Contains(first.body.Decision.Confirmation, item.Name) {
					t.Errorf("%q does not name %q", first.body.Decision.Confirmation, item.Name)
				}
			}
			if !slices.Equal(resolved, c.resolved) {
				t.Errorf("items %q, want %q", resolved, c.resolved)
			}
			if len(client.backend.Effects()) != 0 || len(client.backend.products.state) != 0 {
				t.Error("the validator did something")
			}
			if !c.eligible {
				return
			}
			// What it resolved is what the primary tool takes, to the byte.
			done := client.call(first.body.Decision.TargetTool, string(first.body.Decision.Resolved))
			for i, row := range done.body.Results {
				if row.Success != arguments.Items[i].Eligible {
					t.Errorf("row %+v for item %+v", row, arguments.Items[i])
				}
			}
			if len(done.body.Results) != len(c.resolved) {
				t.Errorf("%d rows for %d items", len(done.body.Results), len(c.resolved))
			}
		})
	}
}

func TestValidatorAsksForWhatIsMissing(t *testing.T) {
	client := good(t)
	for tool, parameter := range map[string]string{validateProducts: "items", validateSubscriptions: "subject"} {
		got := client.call(tool, `{}`)
		if *got.body.Eligible || got.body.Status != "NEEDS_PARAMETER" || got.body.Parameter != parameter || got.body.Reason == "" {
			t.Errorf("%s says %s", tool, got.raw)
		}
	}
}

func TestConfirmationNamesTenAndCountsTheRest(t *testing.T) {
	items := make([]string, 12)
	for i := range items {
		items[i] = fmt.Sprintf("Bulk %d", i+1)
	}
	got := good(t).call(validateProducts, `{"items":`+quote(items)+`}`).body.Decision.Confirmation
	if !strings.Contains(got, "Bulk 10;") || strings.Contains(got, "Bulk 11") || !strings.Contains(got, "and 2 more") {
		t.Errorf("confirmation %q", got)
	}
}

func TestTextThatNamesSeveral(t *testing.T) {
	for name, c := range map[string]struct {
		subject string
		want    []string
	}{
		"commas":                    {"Boletim da Manhã, Video Basic", []string{"S-01", "S-12"}},
		"semicolons, line breaks":   {"Boletim da Manhã; Video Basic\nS-09", []string{"S-01", "S-12", "S-09"}},
		"and, e, y, und, et":        {"S-01 and S-02 e S-06 y S-09 und S-10 et S-11", []string{"S-01", "S-02", "S-06", "S-09", "S-10", "S-11"}},
		"a comma, then and":         {"S-01, S-02, and S-06", []string{"S-01", "S-02", "S-06"}},
		"a comma in a name":         {"Revista Ciência, Edição Especial, Video Basic", []string{"S-02", "S-12"}},
		"and in a name":             {"Video Basic and Salt and Pepper Club and S-01", []string{"S-12", "S-03", "S-01"}},
		"e and y in names":          {"Café e Prosa e Pan y Vino", []string{"S-04", "S-05"}},
		"a semicolon in a name":     {"Viaggi; Città e Coste; Gärten und Höfe", []string{"S-08", "S-07"}},
		"quotes":                    {`"Revista Ciência, Edição Especial", “Video Basic”`, []string{"S-02", "S-12"}},
		"an unknown quoted name":    {`"Nada, nada e nada", S-01`, []string{"?Nada, nada e nada", "S-01"}},
		"an unknown among known":    {"S-01, Nowhere Weekly and S-12", []string{"S-01", "?Nowhere Weekly", "S-12"}},
		"NFD and case":              {norm.NFD.String("REVISTA CIÊNCIA, EDIÇÃO ESPECIAL, café e prosa"), []string{"S-02", "S-04"}},
		"empty pieces":              {" , S-01 ,, S-12, ", []string{"S-01", "S-12"}},
		"bulk":                      {"Bulk subscription 1, SB2 and bulk subscription 3", []string{"SB1", "SB2", "SB3"}},
		"a quote that never closes": {`"S-01, S-12`, []string{`?"S-01`, "S-12"}},
		"one":                       {"週刊散歩", []string{"S-09"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := good(t)
			check := client.call(validateSubscriptions, `{"subject":`+quote(c.subject)+`}`)
			var arguments struct {
				Subject string
				Items   []saidRow
			}
			if err := json.Unmarshal(check.body.Decision.Resolved, &arguments); err != nil {
				t.Fatalf("%v in %s", err, check.raw)
			}
			if got := ids(arguments.Items); !slices.Equal(got, c.want) {
				t.Errorf("validator reads %q, want %q", got, c.want)
			}
			direct := client.call(cancelSubscriptions, `{"subject":`+quote(c.subject)+`}`)
			if got := ids(direct.body.Results); !slices.Equal(got, c.want) {
				t.Errorf("primary reads %q, want %q", got, c.want)
			}
			client.call(resetTool, `{}`)
			canonical := client.call(cancelSubscriptions, `{"subject":`+quote(arguments.Subject)+`}`)
			if got := ids(canonical.body.Results); !slices.Equal(got, c.want) {
				t.Errorf("the canonical subject %q reads as %q, want %q", arguments.Subject, got, c.want)
			}
			client.call(resetTool, `{}`)
			if got := ids(client.call(cancelSubscriptions, string(check.body.Decision.Resolved)).body.Results); !slices.Equal(got, c.want) {
				t.Errorf("resolved arguments read as %q, want %q", got, c.want)
			}
		})
	}
}

func ids(rows []saidRow) []string {
	var list []string
	for _, r := range rows {
		if r.ID == "" {
			r.ID = "?" + r.Name
		}
		list = append(list, r.ID)
	}
	return list
}

func TestAuxiliaryFailureLeavesTheRowsAlone(t *testing.T) {
	for _, notify := range []string{"", `,"notify":"unreachable"`, `,"notify":"ana@example.org"`} {
		client := good(t)
		got := client.call(cancelProductsWorkflow, `{"items":["Product A","Product X"]`+notify+`}`)
		want := []string{"1001|Product A|done", "|Product X|not_found"}
		if rows := outcomes(got.body.Output[cancelProductsWorkflow].Results); !slices.Equal(rows, want) || got.isError || got.body.Status != "PARTIAL_SUCCESS" {
			t.Errorf("with %s: %s", notify, got.raw)
		}
		told := slices.ContainsFunc(client.backend.Effects(), func(e Effect) bool { return e.Kind == "customer-notified" })
		if reached := !strings.Contains(notify, "unreachable"); got.body.Output[notifyCustomer].Success != reached || told != reached {
			t.Errorf("with %s: told %v, says %s", notify, told, got.raw)
		}
	}
	client := good(t)
	got := client.call(cancelProductsWorkflow, `{"items":["Product X","Product S"],"notify":"unreachable"}`)
	if !got.isError || !got.body.Output[notifyCustomer].Skipped || len(got.body.Output[cancelProductsWorkflow].Results) != 2 {
		t.Errorf("with nothing done: %s", got.raw)
	}
}

func TestQueryHidesNothing(t *testing.T) {
	client := good(t)
	got := client.call(queryOrders, `{"order_ids":["O-1001","O-9001",{"id":"OB5"},"nowhere","O-1001",7]}`)
	want := []string{"O-1001||done without protocol", "O-9001||archive_unavailable", "OB5||done without protocol", "nowhere||not_found", "O-1001||done without protocol", "7||not_found"}
	if rows := outcomes(got.body.Results); !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	if got.body.Results[0].Order.Customer != "Ana Conceição" || len(client.backend.Effects()) != 0 {
		t.Errorf("says %s", got.raw)
	}
}

func TestProbeAndReset(t *testing.T) {
	client := good(t)
	client.call(cancelProducts, `{"items":["1001","B9"]}`)
	client.call(cancelSubscriptions, `{"subject":"S-01"}`)
	got := client.call(getProducts, `{"ids":["1001","1002","B9","9999"]}`)
	want := []saidState{{"1001", "Product A", cancelled, 1}, {"1002", "Product B", active, 0}, {"B9", "Bulk 9", cancelled, 1}}
	if !reflect.DeepEqual(got.body.Products, want) || !slices.Equal(got.body.Missing, []string{"9999"}) {
		t.Errorf("says %s", got.raw)
	}
	all := client.call(getProducts, `{}`).body.Products
	if len(all) != len(productEntries())+1 || all[len(all)-1].ID != "B9" {
		t.Errorf("all products: %d, last %+v", len(all), all[len(all)-1])
	}
	client.call(resetTool, `{}`)
	for _, p := range append(client.call(getProducts, `{}`).body.Products, client.call(getSubscriptions, `{}`).body.Subscriptions...) {
		if p.Status == cancelled || p.Cancellations != 0 {
			t.Errorf("after reset: %+v", p)
		}
	}
	if got := client.call(cancelProducts, `{"items":["1001"]}`); !got.body.Results[0].Success {
		t.Errorf("after reset: %s", got.raw)
	}
}

func TestUnitTool(t *testing.T) {
	client := good(t)
	first := client.call(cancelProduct, `{"id":"1001"}`)
	second := client.call(cancelProduct, `{"id":"1001"}`)
	missing := client.call(cancelProduct, `{}`)
	if first.isError || !second.isError || !missing.isError || !strings.Contains(second.text, "already_cancelled") {
		t.Errorf("%s\n%s\n%s", first.text, second.text, missing.text)
	}
}

func TestKeys(t *testing.T) {
	for _, tool := range []string{cancelProducts, cancelProductsWorkflow, cancelSubscriptions} {
		t.Run(tool, func(t *testing.T) {
			client := good(t)
			items, other := `"items":["B1","9999"]`, `"items":["B1","B2"]`
			if tool == cancelSubscriptions {
				items, other = `"subject":"SB1, 9999"`, `"subject":"SB1, SB2"`
			}
			rows := func(s said) []saidRow {
				if tool == cancelProductsWorkflow {
					return s.body.Output[tool].Results
				}
				return s.body.Results
			}
			first := client.call(tool, `{`+items+`,"idempotency_key":"k1"}`)
			effects := len(client.backend.Effects())
			again := client.call(tool, `{"idempotency_key":"k1",`+items+`,"session":"another"}`)
			if first.text != again.text || len(client.backend.Effects()) != effects {
				t.Errorf("the repeat says\n%s\nnot\n%s", again.text, first.text)
			}
			for what, got := range map[string]said{
				"other items":   client.call(tool, `{`+other+`,"idempotency_key":"k1"}`),
				"key no text":   client.call(tool, `{`+other+`,"idempotency_key":5}`),
				"without a key": client.call(tool, `{`+items+`}`),
				"another key":   client.call(tool, `{`+items+`,"idempotency_key":"k2"}`),
			} {
				if len(rows(got)) != 2 || rows(got)[0].Success || rows(got)[1].Success || rows(got)[0].Error == "" {
					t.Errorf("%s: %s", what, got.raw)
				}
			}
			if len(client.backend.Effects()) != effects {
				t.Error("something was done again")
			}
			client.call(resetTool, `{}`)
			if after := client.call(tool, `{`+items+`,"idempotency_key":"k1"}`); !rows(after)[0].Success || after.text == first.text {
				t.Errorf("after reset the key still means %s", after.raw)
			}
		})
	}
}

func TestConcurrentCallsShareNoItemAndNoKey(t *testing.T) {
	for name, o := range map[string]Options{"batch": {}, "unit": {Downstream: Unit, FanOut: 3, Workers: 2}} {
		t.Run(name, func(t *testing.T) {
			client := speak(t, o, "2026-07-28")
			const calls = 8
			answers := make([]said, 3*calls)
			var wg sync.WaitGroup
			for i := range calls {
				wg.Go(func() { answers[i] = client.call(cancelProducts, `{"items":["B1","B2","B3"]}`) })
				wg.Go(func() { answers[calls+i] = client.call(cancelProducts, `{"items":["B4","B5"],"idempotency_key":"k"}`) })
				wg.Go(func() {
					answers[2*calls+i] = client.call(cancelProducts, fmt.Sprintf(`{"items":["B%d","B%d"]}`, 100+2*i, 101+2*i))
				})
			}
			wg.Wait()
			won := map[string]int{}
			for i, a := range answers {
				for _, r := range a.body.Results {
					if r.Success && (i < calls || i >= 2*calls) {
						won[r.ID]++
					}
				}
				if i > calls && i < 2*calls && a.text != answers[calls].text {
					t.Errorf("two answers under one key:\n%s\n%s", a.text, answers[calls].text)
				}
				if i >= 2*calls && !slices.Equal(ids(a.body.Results), []string{fmt.Sprintf("B%d", 100+2*(i-2*calls)), fmt.Sprintf("B%d", 101+2*(i-2*calls))}) {
					t.Errorf("call %d got the rows %q", i, ids(a.body.Results))
				}
			}
			for id, n := range won {
				if n != 1 {
					t.Errorf("%s was acknowledged %d times", id, n)
				}
			}
			if effects := client.backend.Effects(); len(effects) != 3+2+2*calls || len(won) != 3+2*calls {
				t.Errorf("%d effects, %d items acknowledged", len(effects), len(won))
			}
		})
	}
}

func TestShapesFitTheirOwnSchemas(t *testing.T) {
	calls := map[string][]string{
		cancelProducts:         {`{"items":["1001","9999"]}`, `{"items":["9999"]}`, `{"items":[]}`, `{"items":["B1","B2","B3","B4"]}`},
		cancelProductsWorkflow: {`{"items":["1002","9999"]}`, `{"items":["9999"]}`, `{}`, `{"items":["1003"],"notify":"unreachable"}`},
		cancelSubscriptions:    {`{"subject":"S-01, nothing"}`, `{}`},
		validateProducts:       {`{"items":["1004","9999"]}`, `{"items":["9999"]}`, `{}`},
		validateSubscriptions:  {`{"subject":"S-02"}`, `{}`},
		queryOrders:            {`{"order_ids":["O-1001","O-9001"]}`, `{}`, `{"order_ids":["1","2","3","4"]}`},
		getProducts:            {`{"ids":["1001","9"]}`, `{}`},
		getSubscriptions:       {`{}`},
		cancelProduct:          {`{"id":"1005"}`, `{}`},
		resetTool:              {`{}`},
	}
	for _, shape := range []Shape{Default, Bare, Wrapped, NoSummary} {
		t.Run(string(shape), func(t *testing.T) {
			client := speak(t, Options{Shape: shape, MaxItems: 3}, "2025-06-18")
			tools, err := client.session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(tools.Tools) != len(calls) {
				t.Errorf("%d tools, want %d", len(tools.Tools), len(calls))
			}
			for _, tool := range tools.Tools {
				compiled := compile(t, tool.OutputSchema)
				compile(t, tool.InputSchema)
				for _, arguments := range calls[tool.Name] {
					got := client.call(tool.Name, arguments)
					v, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.raw))
					if err != nil {
						t.Fatal(err)
					}
					if err := compiled.Validate(v); err != nil {
						t.Errorf("%s(%s): %v", tool.Name, arguments, err)
					}
				}
			}
		})
	}
}

func compile(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func TestTooManyItemsAreRefusedOneByOne(t *testing.T) {
	client := speak(t, Options{MaxItems: 2}, "2025-11-25")
	for _, call := range []string{cancelProducts + ` {"items":["1001","1002","1003"]}`, queryOrders + ` {"order_ids":["O-1001","O-1002","O-1003"]}`} {
		tool, arguments, _ := strings.Cut(call, " ")
		got := client.call(tool, arguments)
		if len(got.body.Results) != 3 || got.body.Results[2].Error != "too_many_items" || !got.isError {
			t.Errorf("%s says %s", tool, got.raw)
		}
	}
	if len(client.backend.Effects()) != 0 {
		t.Error("something was done")
	}
}

func TestAThousandItems(t *testing.T) {
	client := good(t)
	items := make([]map[string]string, 1000)
	for i := range items {
		items[i] = map[string]string{"id": fmt.Sprintf("B%d", i+1), "name": fmt.Sprintf("Bulk %d", i+1)}
	}
	got := client.call(cancelProducts, `{"items":`+quote(items)+`}`)
	if len(got.body.Results) != 1000 || got.body.Succeeded != 1000 {
		t.Errorf("%d rows, %d succeeded", len(got.body.Results), got.body.Succeeded)
	}
}

func TestHintsTellWritesFromReads(t *testing.T) {
	tools, err := good(t).session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	reads := []string{validateProducts, validateSubscriptions, queryOrders, getProducts, getSubscriptions}
	for _, tool := range tools.Tools {
		a := tool.Annotations
		if read := slices.Contains(reads, tool.Name); a == nil || a.ReadOnlyHint != read || *a.DestructiveHint == read || *a.OpenWorldHint {
			t.Errorf("%s: %+v", tool.Name, a)
		}
	}
}
