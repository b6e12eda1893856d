package discover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/discover"
)

// tools reads a list of tools.
func tools(t testing.TB, texts ...string) []conform.Tooling {
	t.Helper()
	var all []conform.Tooling
	for _, text := range texts {
		all = append(all, *tool(t, text))
	}
	return all
}

// taking is a tool that takes a list of texts.
func taking(name, argument string) string {
	return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object","properties":{%q:{"type":"array","items":{"type":"string"}}},"required":[%[2]q]}}`, name, argument)
}

// showing is a tool that reads, and shows rows with id and state under a name.
func showing(name, argument, list, id, state string) string {
	return fmt.Sprintf(`{"name":%q,"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{%q:{"type":"array","items":{"type":"string"}}}},
		"outputSchema":{"type":"object","properties":{%q:{"type":"array","items":{"type":"object","properties":{%q:{"type":"string"},%q:{"type":"string"}}}}}}}`, name, argument, list, id, state)
}

// told writes a guess in short: tool(argument) effect, validator, probe, reset.
func told(f *discover.Found) []string {
	var all []string
	for _, o := range f.Operations {
		text := fmt.Sprintf("%s(%s)", o.Tool, o.Takes.Argument)
		if o.Takes.Scalar() {
			text += " as text"
		}
		if o.Validator != nil {
			text += " validator " + o.Validator.Tool
		}
		if p := o.Probe; p != nil {
			text += fmt.Sprintf(" probe %s(%s) %s %s %s", p.Tool, p.Argument, p.Path, p.ID, p.State+p.Done)
		}
		if o.Reset != nil {
			text += " reset " + o.Reset.Tool
		}
		all = append(all, text)
	}
	return all
}

func TestWhatIsFoundInSixLanguages(t *testing.T) {
	for name, c := range map[string]struct{ tools, want []string }{
		"English": {[]string{
			taking("cancel_orders", "order_ids"), taking("check_orders_for_cancellation", "order_ids"),
			showing("get_orders", "order_ids", "orders", "order_id", "status"), `{"name":"reset_orders","inputSchema":{"type":"object"}}`,
		}, []string{"cancel_orders(order_ids) validator check_orders_for_cancellation probe get_orders(order_ids) $.orders[*] order_id status reset reset_orders"}},
		"English, in camels": {[]string{
			taking("cancelOrders", "orderIds"), taking("previewOrderCancellation", "orderIds"), showing("listOrders", "orderIds", "orders", "id", "state"),
		}, []string{"cancelOrders(orderIds) validator previewOrderCancellation probe listOrders(orderIds) $.orders[*] id state"}},
		"Portuguese": {[]string{
			taking("cancelar_produtos", "produtos"), taking("validar_cancelamento_produtos", "produtos"),
			showing("consultar_produtos", "codigos", "produtos", "codigo", "situacao"), `{"name":"reiniciar","inputSchema":{"type":"object"}}`,
		}, []string{"cancelar_produtos(produtos) validator validar_cancelamento_produtos probe consultar_produtos(codigos) $.produtos[*] codigo situacao reset reiniciar"}},
		"Spanish": {[]string{
			taking("cancelar_pedidos", "pedidos"), taking("comprobar_cancelacion_pedidos", "pedidos"), showing("consultar_pedidos", "ids", "pedidos", "id", "estado"),
		}, []string{"cancelar_pedidos(pedidos) validator comprobar_cancelacion_pedidos probe consultar_pedidos(ids) $.pedidos[*] id estado"}},
		"Italian": {[]string{
			taking("annulla_ordini", "ordini"), taking("verifica_annullamento_ordini", "ordini"), showing("elenca_ordini", "codici", "ordini", "codice", "stato"),
		}, []string{"annulla_ordini(ordini) validator verifica_annullamento_ordini probe elenca_ordini(codici) $.ordini[*] codice stato"}},
		"French": {[]string{
			taking("annuler_commandes", "commandes"), taking("vérifier_annulation_commandes", "commandes"), showing("consulter_commandes", "ids", "commandes", "id", "état"),
		}, []string{"annuler_commandes(commandes) validator vérifier_annulation_commandes probe consulter_commandes(ids) $.commandes[*] id état"}},
		"German": {[]string{
			taking("bestellungen_stornieren", "bestellungen"), taking("stornierung_bestellungen_prüfen", "bestellungen"), showing("bestellungen_abrufen", "ids", "bestellungen", "id", "zustand"),
		}, []string{"bestellungen_stornieren(bestellungen) validator stornierung_bestellungen_prüfen probe bestellungen_abrufen(ids) $.bestellungen[*] id zustand"}},
		"each verb has its own validator": {[]string{
			taking("cancel_orders", "ids"), taking("refund_orders", "ids"), taking("validate_refund_of_orders", "ids"), taking("validate_cancellation_of_orders", "ids"),
		}, []string{"cancel_orders(ids) validator validate_cancellation_of_orders", "refund_orders(ids) validator validate_refund_of_orders"}},
		"a validator by what it answers": {[]string{
			taking("cancel_orders", "ids"),
			`{"name":"orders_precondition","inputSchema":{"properties":{"ids":{"type":"array"}}},"outputSchema":{"type":"object","properties":{"eligible":{"type":"boolean"}}}}`,
		}, []string{"cancel_orders(ids) validator orders_precondition"}},
		"a validator that takes its items elsewhere is none": {[]string{taking("cancel_orders", "ids"), taking("validate_orders", "orders")},
			[]string{"cancel_orders(ids)", "validate_orders(orders)"}},
		"one that checks nothing else's items is an operation": {[]string{taking("check_prices", "skus_ids")}, []string{"check_prices(skus_ids)"}},
		"one text that names several": {[]string{
			`{"name":"cancel_orders","description":"Cancels the orders named in a text.","inputSchema":{"properties":{"subject":{"type":"string","description":"Order ids, comma-separated"}},"required":["subject"]}}`,
			`{"name":"lookup","inputSchema":{"properties":{"names":{"type":"string"}},"required":["names"]}}`,
			`{"name":"find_things","description":"The query holds ids separated by semicolons.","inputSchema":{"properties":{"query":{"type":"string"}},"required":["query"]}}`,
			`{"name":"search","inputSchema":{"properties":{"query":{"type":"string","description":"What to look for"}},"required":["query"]}}`,
		}, []string{"cancel_orders(subject) as text", "find_things(query) as text"}},
		"a reset that is about other things is none": {[]string{taking("cancel_orders", "ids"), `{"name":"reset_password","inputSchema":{}}`, `{"name":"reset_orders","inputSchema":{"required":["why"]}}`},
			[]string{"cancel_orders(ids)"}},
		"eyes that need more than ids are none": {[]string{taking("cancel_orders", "ids"),
			`{"name":"get_orders","inputSchema":{"properties":{"customer":{"type":"string"}},"required":["customer"]},"outputSchema":{"properties":{"orders":{"type":"array","items":{"properties":{"id":{},"status":{}}}}}}}`},
			[]string{"cancel_orders(ids)"}},
		"what makes and what deletes": {[]string{taking("create_parts", "names"), taking("delete_parts", "names"), showing("open_parts", "names", "parts", "name", "kind")},
			[]string{"create_parts(names) probe open_parts(names) $.parts[*] name present", "delete_parts(names) probe open_parts(names) $.parts[*] name absent"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := told(discover.Look(tools(t, c.tools...), nil)); !slices.Equal(got, c.want) {
				t.Errorf("found\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestWhatIsNotMultiItem(t *testing.T) {
	list := func(items string) string { return `{"type":"array","items":` + items + `}` }
	text, number := `{"type":"string"}`, `{"type":"number"}`
	properties := func(required string, pairs ...string) string {
		var members []string
		for i := 0; i < len(pairs); i += 2 {
			members = append(members, fmt.Sprintf("%q:%s", pairs[i], pairs[i+1]))
		}
		return `{"type":"object","properties":{` + strings.Join(members, ",") + `},"required":[` + required + `]}`
	}
	const never, doubtful = "", "doubt"
	for _, c := range []struct{ tool, schema, want string }{
		{"draw_polygon", properties(`"coordinates"`, "coordinates", list(number)), never},
		{"route", properties(`"stops"`, "stops", list(`{"type":"object","properties":{"lat":{"type":"number"},"lng":{"type":"number"}}}`)), never},
		{"create_note", properties(`"title"`, "title", text, "tags", list(text)), never},
		{"criar_nota", properties(`"titulo"`, "titulo", text, "etiquetas", list(text)), never},
		{"add", properties(`"numbers"`, "numbers", list(number)), never},
		{"somar", properties(`"valores"`, "valores", list(`{"type":"integer"}`)), never},
		{"set_colours", properties(`"colours"`, "colours", list(`{"type":"string","enum":["red","green"]}`)), never},
		{"get_report", properties(`"id"`, "id", text, "fields", list(text)), never},
		{"search_files", properties(`"path"`, "path", text, "excludePatterns", list(text)), never},
		{"query", properties(`"table"`, "table", text, "order_by", list(text)), never},
		{"embed", properties(`"vector"`, "vector", list(number)), never},
		{"translate", properties(`"text"`, "text", text, "languages", list(text)), never},
		{"edit_file", properties(`"path","edits"`, "path", text, "edits", list(`{"type":"object","properties":{"oldText":{"type":"string"}}}`)), doubtful},
		{"send_mail", properties(`"to","subject"`, "to", list(text), "subject", text), doubtful},
		{"merge_documents", properties(`"documents"`, "documents", list(text)), doubtful},
		{"run_report", properties(`"report_id"`, "report_id", text, "regions", list(text)), doubtful},
		{"lookup", properties(`"names"`, "names", text), doubtful},
		{"update_tree", properties(`"tree"`, "tree", `{"type":"object","properties":{"ids":`+list(text)+`}}`), doubtful},
		// Lists that are of the kind which the tool's own name speaks of are items.
		{"delete_tags", properties(`"tags"`, "tags", list(text)), "tags"},
		{"get_orders", properties(`"order_numbers"`, "order_numbers", list(`{"type":"integer"}`)), "order_numbers"},
		{"assign_users", properties(`"project_id","user_ids"`, "project_id", text, "user_ids", list(text)), "user_ids"},
		{"geocode_addresses", properties(`"addresses"`, "addresses", list(text)), "addresses"},
	} {
		t.Run(c.tool, func(t *testing.T) {
			f := discover.Look(tools(t, fmt.Sprintf(`{"name":%q,"inputSchema":%s}`, c.tool, c.schema)), nil)
			got := never
			if len(f.Operations) > 0 {
				got = f.Operations[0].Takes.Argument
			} else if len(f.Left) > 0 {
				got = doubtful
				if f.Left[0].Because == "" || !strings.Contains(string(f.YAML(discover.Server{})), "SCOPE-01") {
					t.Errorf("it is left out without a word: %+v", f.Left[0])
				}
			}
			if got != c.want {
				t.Errorf("taken: %q, wanted %q (%+v)", got, c.want, f.Left)
			}
		})
	}
}

func TestTheEffectIsWhatTheServerSays(t *testing.T) {
	for _, c := range []struct {
		tool, hints  string
		write, keeps bool
	}{
		{"get_orders", `{"readOnlyHint":true}`, false, false},
		{"sync_orders", `{"readOnlyHint":true}`, false, false},
		{"get_orders", `{}`, true, true}, // a name is no licence
		{"get_orders", `{"readOnlyHint":false}`, true, false},
		{"cancel_orders", `{}`, true, false},
		{"delete_orders", `{"readOnlyHint":true}`, true, false},
		{"sync_orders", `{"readOnlyHint":true,"destructiveHint":true}`, true, false},
	} {
		f := discover.Look(tools(t, fmt.Sprintf(`{"name":%q,"annotations":%s,"inputSchema":{"properties":{"ids":{"type":"array"}},"required":["ids"]}}`, c.tool, c.hints)), nil)
		if len(f.Operations) != 1 {
			t.Fatalf("%s: %d operations", c.tool, len(f.Operations))
		}
		if o := f.Operations[0]; o.Write != c.write || o.Keeps != c.keeps {
			t.Errorf("%s %s: write %v, keeps %v", c.tool, c.hints, o.Write, o.Keeps)
		}
	}
}
