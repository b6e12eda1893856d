// Package target reads target files: which server is under test, which of its
// tools play which role, which items exist, and what may be done with them.
//
// A file is read strictly. Every key is known, refused as not served yet, or an
// error with the nearest known key; every error of a file is told at once, each
// with its line, its column and the mend. Nothing here talks to a server: Wire
// gives what the wire client needs to do that.
package target
