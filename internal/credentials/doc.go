// Package credentials gets what a server is shown to be let in: a token from the
// environment, a file or a command, by OAuth 2.1 client credentials, or from a login that
// a person made. It replaces a token once the server refuses it, and keeps logins in the
// user's folder.
//
// It sends nothing to the server's MCP endpoint but one question without credentials, to
// be told who gives them (RFC 9728). No error of it holds a secret that it knows.
package credentials
