package fakebackend

import (
	"strconv"
	"strings"
)

// entry is one thing of the catalogue as it is before anything was done to it.
type entry struct {
	id, name string
	aliases  []string // what people call it, besides its name
	status   string   // ACTIVE unless said
	refusal  string   // why it cannot be cancelled; empty: it can
}

// The statuses of things.
const (
	active    = "ACTIVE"
	cancelled = "CANCELLED"
	shipped   = "SHIPPED"
	reserved  = "RESERVED"
)

// BulkCount is how many bulk things there are of each kind. They exist without
// being stored: product "Bulk 7" has the id B7, subscription "Bulk subscription
// 7" the id SB7, order "Bulk order 7" the id OB7. There are as many more for every
// word of letters and digits, so that runs side by side do not meet: product
// "Bulk k7x-7" has the id Bk7x-7.
const BulkCount = 100_000

func productEntries() []entry {
	return []entry{
		{id: "1001", name: "Product A", aliases: []string{"produto a", "producto a", "produit a", "produkt a", "prodotto a"}},
		{id: "1002", name: "Product B", aliases: []string{"produto b", "producto b", "produit b", "produkt b", "prodotto b"}},
		{id: "1003", name: "Product C", aliases: []string{"produto c", "producto c", "produit c", "produkt c", "prodotto c"}},
		{id: "1004", name: "Product D"},
		{id: "1005", name: "Product E"},
		{id: "1006", name: "Product F"},
		{id: "1007", name: "Café Especial", aliases: []string{"o café especial"}},
		{id: "1008", name: "Cable, 2 m", aliases: []string{"cable two metres"}},
		{id: "1009", name: "Máquina de Café, 220 V"},
		{id: "1010", name: "L'Écharpe d'Été"},
		{id: "1011", name: "Straßenkarte Köln"},
		{id: "1012", name: "Città d'Arte, guida"},
		{id: "1013", name: "日本茶セット"},
		{id: "1014", name: "حقيبة سفر"},
		{id: "1015", name: "Piñata Ñandú"},
		{id: "1016", name: "Tea & Coffee Set 🍵"},
		{id: "1017", name: "Smörgåsbricka"},
		{id: "1018", name: "Hrnek Žluťoučký kůň"},
		{id: "1019", name: "Đèn lồng Hội An"},
		{id: "1020", name: "각설탕"},
		{id: "1021", name: "Ångström Ruler"},
		{id: "1022", name: "Resume Folder"},
		{id: "1023", name: "Résumé Folder"},
		{id: "1024", name: "Salt and Pepper Mill"},
		{id: "9007199254740993", name: "Snowflake Lamp"},
		{id: "2001", name: "Product S", status: shipped, refusal: "already_shipped"},
		{id: "2002", name: "Gift Card", refusal: "not_cancellable"},
		{id: "2003", name: "Encomenda Enviada, São Paulo", status: shipped, refusal: "already_shipped"},
	}
}

func subscriptionEntries() []entry {
	return []entry{
		{id: "S-01", name: "Boletim da Manhã", aliases: []string{"newsletter da manhã"}},
		{id: "S-02", name: "Revista Ciência, Edição Especial", aliases: []string{"revista de ciência"}},
		{id: "S-03", name: "Salt and Pepper Club"},
		{id: "S-04", name: "Café e Prosa"},
		{id: "S-05", name: "Pan y Vino"},
		{id: "S-06", name: "L'Équipée Numérique"},
		{id: "S-07", name: "Gärten und Höfe"},
		{id: "S-08", name: "Viaggi; Città e Coste"},
		{id: "S-09", name: "週刊散歩"},
		{id: "S-10", name: "رسالة الصباح"},
		{id: "S-11", name: "Music Plus 🎵"},
		{id: "S-12", name: "Video Basic", aliases: []string{"video"}},
		{id: "S-91", name: "Lifetime Archive", refusal: "not_cancellable"},
		{id: "S-92", name: "Contrato Anual, Fidelidade", refusal: "under_contract"},
	}
}

// order is one order as query_orders tells it. An order that is unavailable
// exists, but cannot be read at the moment.
type order struct {
	id, customer, state string
	cents               int
	unavailable         string
}

func orderEntries() []order {
	return []order{
		{id: "O-1001", customer: "Ana Conceição", state: "DELIVERED", cents: 12_990},
		{id: "O-1002", customer: "Jürgen Weiß", state: "IN_TRANSIT", cents: 4_550},
		{id: "O-1003", customer: "Chloé d'Aubigné", state: "PAID", cents: 7_300},
		{id: "O-1004", customer: "山田花子", state: "DELIVERED", cents: 880},
		{id: "O-1005", customer: "ليلى حداد", state: "PAID", cents: 21_075},
		{id: "O-1006", customer: "Íñigo Núñez", state: "IN_TRANSIT", cents: 5_999},
		{id: "O-9001", customer: "Archived", state: "ARCHIVED", unavailable: "archive_unavailable"},
		{id: "O-9002", customer: "Locked", state: "LOCKED", unavailable: "access_denied"},
	}
}

// bulk is a range of things that exist without being stored. Its prefixes are ASCII.
type bulk struct{ idPrefix, namePrefix string }

var (
	productBulk      = bulk{idPrefix: "B", namePrefix: "Bulk "}
	subscriptionBulk = bulk{idPrefix: "SB", namePrefix: "Bulk subscription "}
)

// bulkEntry finds a bulk product or subscription as it is at first.
func bulkEntry(id string) (entry, bool) {
	e, ok := productBulk.byID(id)
	if !ok {
		e, ok = subscriptionBulk.byID(id)
	}
	e.status = active
	return e, ok
}

// byID gives the name of a bulk thing; false if the id is none of the range.
func (b bulk) byID(id string) (entry, bool) {
	if n, _, ok := bulkNumber(id, b.idPrefix); ok {
		return entry{id: id, name: b.namePrefix + n}, true
	}
	return entry{}, false
}

// byName finds a bulk thing by its name in canonical form.
func (b bulk) byName(name string) (entry, bool) {
	if n, _, ok := bulkNumber(name, strings.ToLower(b.namePrefix)); ok {
		return entry{id: b.idPrefix + n, name: b.namePrefix + n}, true
	}
	return entry{}, false
}

// bulkNumber gives what stands behind a prefix, if it is the number of a bulk
// thing, and the number alone.
func bulkNumber(text, prefix string) (rest string, n int, ok bool) {
	rest, ok = strings.CutPrefix(text, prefix)
	digits := rest
	if word, number, of := strings.Cut(rest, "-"); of {
		if !isWord(word) {
			return "", 0, false
		}
		digits = number
	}
	if !ok || digits == "" || len(digits) > 6 || digits[0] < '1' || digits[0] > '9' {
		return "", 0, false
	}
	n, err := strconv.Atoi(digits)
	return rest, n, err == nil && n <= BulkCount
}

// isWord tells whether a text is one of the words that bulk things have: up to 32
// small letters and digits.
func isWord(text string) bool {
	for i := range len(text) {
		if c := text[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return text != "" && len(text) <= 32
}
