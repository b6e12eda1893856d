// Package generate makes batches that no scenario has: of every size, with the items of
// the target file in odd forms, twice, and mixed in every position. What is asked of an
// answer needs no fixture: every rule of the catalogue, and of reads that an item is told
// the same in other company (RO-02). A batch that breaks a rule is made smaller until
// nothing more can be left out of it.
//
// A Case is one such batch in the words of scenario files, on one line, so that it can be
// kept in a file and played again.
package generate
