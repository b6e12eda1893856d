package multiitem

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
)

// everyRow makes the judge of a rule that reading the rows already settles: it
// fails by the first problem of a kind and tells how many there are.
func everyRow(code contract.Code, want string) func(*conform.Subject) []conform.Look {
	return eachRows(nil, func(v *sight) *conform.Look {
		if len(v.Answer.Rows) == 0 {
			return nil
		}
		all := v.Answer.All(code)
		if len(all) == 0 {
			return some(v.pass())
		}
		look := v.problem(&all[0], want)
		if more := len(all) - 1; more > 0 {
			look.Got += ", and so in " + count(more, "more row")
		}
		return &look
	})
}

const noRowAnswered = "no answer held rows"

var res04 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-04", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupCore,
		Title:  "every row is an object",
		Text:   "Every entry of results[] is a JSON object.",
		Impact: "One odd entry makes the client ignore the whole list: every outcome is lost.",
		Source: "agent_platform_oci, multi-item guide (EN), recognition rule: every entry",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]}`,
		Bad:    `{"results":["A-1 done",null]}`,
		Mend:   "Write each entry as an object with the item's id and success.",
		Since:  set,
	},
	Judge:   everyRow(contract.RowNotObject, "an object in every row"),
	Missing: noRowAnswered,
}

var res05 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-05", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore,
		Title:  "every row says success or ok",
		Text:   "Every row has a member named success or ok.",
		Impact: "The client cannot tell done from failed, ignores the list, and guesses.",
		Source: "agent_platform_oci, Multi_Item_MCP README, expected MCP result; multi-item guide (EN)",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":false,"error":"locked"}]}`,
		Bad:    `{"results":[{"id":"A-1","success":true},{"id":"A-2","status":"done"}]}`,
		Mend:   "Add success (true or false) to every row; a status word or an error text does not replace it.",
		Since:  set,
	},
	Judge:   everyRow(contract.RowNoFlag, "a member success or ok in every row"),
	Missing: noRowAnswered,
}

var res06 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-06", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore,
		Title:  "the flag is true or false",
		Text:   "One of a row's two flags, success and ok, is JSON true or false.",
		Impact: "A failure written as the text \"false\" counts as a success in most programs.",
		Source: "agent_platform_oci, Multi_Item_MCP README: success or ok, boolean, per item; contract 8b",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":false,"error":"OUTCOME_UNKNOWN"}]}`,
		Bad:    `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":"false"}]}`,
		Mend:   "Send true or false, never a text, a number or null; an outcome that is not known is false with an error that says so.",
		Since:  set,
	},
	Judge:   everyRow(contract.FlagNotBoolean, "true or false"),
	Missing: noRowAnswered,
}

var res07 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-07", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "two flags agree",
		Text:   "A row that has both success and ok says the same in both.",
		Impact: "One reader sees the item done, the next sees it failed.",
		Source: "agent_platform_oci: the precedence of success and ok is not documented; contract decision 7",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true,"ok":true},{"id":"A-2","success":false,"ok":false,"error":"locked"}]}`,
		Bad:    `{"results":[{"id":"A-1","success":true,"ok":false},{"id":"A-2","success":true,"ok":true}]}`,
		Mend:   "Send one flag only, or set both from the same value.",
		Since:  set,
	},
	Judge:   everyRow(contract.FlagsDiffer, "success and ok equal"),
	Missing: noRowAnswered,
}

var res08 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-08", Level: conform.May, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "the same flag in every row",
		Text:   "All rows of an answer use the same flag, success or ok.",
		Impact: "Programs that look for one name miss the rows that use the other.",
		Source: "contract 8, inferred",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"A-2","success":false,"error":"locked"}]}`,
		Bad:    `{"results":[{"id":"A-1","success":true},{"id":"A-2","ok":false,"error":"locked"}]}`,
		Mend:   "Choose success (or ok) and use it in every row.",
		Since:  set,
	},
	Judge:   eachRows(nil, sameFlag),
	Missing: "no answer held two rows with flags",
}

// sameFlag judges answers with two rows that have a flag.
func sameFlag(v *sight) *conform.Look {
	onlySuccess, onlyOK, flagged := -1, -1, 0
	for i, row := range v.Answer.Rows {
		if row.Success == nil && row.Ok == nil {
			continue
		}
		flagged++
		if row.Ok == nil {
			onlySuccess = i
		}
		if row.Success == nil {
			onlyOK = i
		}
	}
	switch {
	case flagged < 2:
		return nil
	case onlySuccess >= 0 && onlyOK >= 0:
		return some(v.fail(v.Answer.Rows[onlyOK].Node, "one flag name in all rows", "results[%d] has success, results[%d] has ok", onlySuccess, onlyOK))
	}
	return some(v.pass())
}

var res15 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-15", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "the second flag is boolean too",
		Text:   "Where a row has both success and ok, both are JSON booleans.",
		Impact: "Programs that read the other flag of the two get a value that they misread.",
		Source: "contract decision 7 and 8b",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true,"ok":true},{"id":"A-2","success":true,"ok":true}]}`,
		Bad:    `{"results":[{"id":"A-1","success":true,"ok":"yes"},{"id":"A-2","success":true,"ok":"yes"}]}`,
		Mend:   "Send one flag only, or true and false in both.",
		Since:  set,
	},
	Judge:   everyRow(contract.SecondFlagOdd, "true or false in both flags"),
	Missing: noRowAnswered,
}

var res16 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-16", Level: conform.Should, Basis: conform.Issue, Group: conform.GroupCore,
		Title:  "large ids are strings",
		Text:   "An id beyond 2^53-1 is sent as a string, not as a JSON number.",
		Impact: "JavaScript rounds the id: the outcome is shown for another item, or for none.",
		Source: "oceanbase/powercontext issue 91 and others, ids rounded by clients; RFC 8259, section 6; contract decision 12",
		Needs:  response,
		Good:   `{"results":[{"id":"9007199254740993","success":true},{"id":"88","success":true}]}`,
		Bad:    `{"results":[{"id":9007199254740993,"success":true},{"id":88,"success":true}]}`,
		Mend:   "Send ids as strings.",
		Since:  set,
	},
	Judge:   everyRow(contract.BigNumberID, "a string"),
	Missing: noRowAnswered,
}

var res17 = conform.Check{
	Requirement: conform.Requirement{
		ID: "RES-17", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupCore,
		Title:  "no error on a row that succeeded",
		Text:   "A row that says success has no non-empty error.",
		Impact: "The reader cannot tell whether the item was done: the flag says yes and the text says no.",
		Source: "contract 8b",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true,"error":null},{"id":"A-2","success":true,"message":"was already open"}]}`,
		Bad:    `{"results":[{"id":"A-1","success":true,"error":"timeout while storing"},{"id":"A-2","success":true}]}`,
		Mend:   "Leave `error` out (or null) on rows that succeeded; a note goes into `message`.",
		Since:  set,
	},
	Judge:   everyRow(contract.ErrorOnSuccess, "no error beside success"),
	Missing: noRowAnswered,
}
