// Package contract is the multi-item batch contract as pure functions: from the
// exact bytes of an answer to the envelope as a client sees it, to rows, to each
// row's flag and identity, to the derived status and counts, and to every
// problem on the way with its JSON pointer and byte offset. It judges nothing:
// levels and verdicts are the checks' business.
package contract
