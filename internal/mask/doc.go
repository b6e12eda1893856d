// Package mask puts pseudonyms in the place of values in recorded bytes, so that
// whoever judges the recording comes to the same findings and does not see the
// values.
//
// Two parts: Pseudonyms gives words their stand-ins; Mask finds out which values
// are meant (by JSONPath, from arguments and answers) and replaces them wherever
// they stand. It reads no file, knows no server, and judges nothing.
package mask
