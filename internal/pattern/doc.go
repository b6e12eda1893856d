// Package pattern tells, in one forward pass without allocation, that an answer
// says what another one said that the checks have judged to be all right.
//
// A pattern is made of an answer's exact bytes. Most of them stand for
// themselves: every brace, member name, flag, total and status. What may differ
// from answer to answer is of few kinds: the JSON-RPC id; the names of the items
// that the call asked for, which must stand where they stood; and plain texts and
// numbers under member names that no rule looks at (multiitem.Reads), where the
// tool's output schema does not bound them. A write's protocol ids must differ
// from one another. The words of a row that says success of a good item, such as
// the state of an order, may be those of another such row, all of them together.
// The JSON of a text block is read the same way, one level of escaping deeper, and
// must repeat what structuredContent said.
//
// So every row is read: its flag and its identity against the plan, its place,
// the number of rows, the totals beside them, isError. Whatever else differs, if
// only by a blank, is no match, and for the strict road to judge: contract and
// the checks. A pattern therefore never says more than they would; a fuzz test in
// internal/load holds the two together.
//
// One pattern serves all calls that ask for as many items of the same sort and
// truth, whatever their names (Names.Fit).
package pattern
