package mask

import "strings"

// own are the contract's and the protocol's words. They are nobody's data, and
// judging reads them, so that they stay, alone and within a longer value.
var own = set(`
	success succeeded successful ok failed failure fail error errors partial_success partial done completed
	true false null none yes no unknown invalid rejected refused
	pending queued accepted submitted scheduled started running processing working in_progress progress
	present absent eligible approved cancelled canceled
	id name subject key item items index result results output payload data response status state code message reason
	total count summary counts stats protocol operation tool text type content
	jsonrpc method params capabilities tools call list initialize ping version
	object array string number integer boolean enum const required properties
	application json event stream http https localhost
	accept decline cancel confirm same as sameas
`)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(words) {
		all[word] = true
	}
	return all
}

// stems are what checks look for within the texts of an answer: words that say
// that an item was repeated, that a client could not be asked, that a permission
// is missing. A word that holds one stays.
var stems = []string{
	"duplica", "repeat", "merged", "already", "identical", "dedup", "conflict",
	"elicit", "sampling", "confirmation", "permission", "forbidden", "unauthor", "authoriz", "authoris", "authentic", "denied", "credential",
}

// stays tells the words that no pseudonym takes the place of.
func stays(word string) bool {
	if own[word] {
		return true
	}
	for _, stem := range stems {
		if strings.Contains(word, stem) {
			return true
		}
	}
	return false
}

// figures are members whose numbers count, place or sort something, and are never
// somebody's: the contract's totals and places, the protocol's own numbers.
var figures = set(`
	total count items_count succeeded successful success_count failed failure_count failed_count requested processed skipped
	index position code status status_code statuscode progress ttl pollinterval ttlms jsonrpc
`)
