// Package target reads target files: which server is under test, which of its
// tools play which role, which items exist, and what may be done with them.
//
// A file is read strictly. Every key is known, refused as not served yet, or an
// error with the nearest known key; every error of a file is told at once, each
// with its line, its column and the mend. Nothing here talks to a server: Wire
// gives what the wire client needs to do that.
//
// # Values
//
// ${NAME} stands for an environment variable, in values only; $${ for the two
// characters ${. Arguments, items and states become JSON exactly: keys in the
// order of the file, numbers as written, scalars in quotes always strings, and
// what a variable gave a string too. Anchors, aliases, merge keys and tags are
// not read.
//
// # The run's own folder
//
// Under server, ${RUN_DIR} is an empty folder made for each run and taken away
// at its end. server.copy fills it before the server starts:
//
//	server:
//	  command: [acme, --data, "${RUN_DIR}/data.jsonl"]
//	  copy:
//	    - {from: seed.jsonl, to: data.jsonl, count: 400}
//
// from is a file in the target file's folder, to a path inside ${RUN_DIR}. With
// count the file is written so often, {n} in its content and in to counting from
// 1; copies of one name follow one another in one file.
//
// # Items
//
// A supply of items is a list or {template, count}. In the strings of a template
// {n} is the item's number from 1, {run} the run's id and {seed} its seed. A bad
// item may be {item, because}; where what is sent is another form of what is
// meant, an item is {given, means}, and with style: scalar given is a text.
package target
