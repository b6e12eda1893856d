// Package platforms says which client platforms can use a server's tools and
// answers. A platform is data: rules with their level, source, basis and the day on
// which the source was last read (*.yaml), over a small set of pure
// functions that look at what the server lists, at answers that were recorded, and
// at what the user has of the platform's own configuration.
//
// It does no I/O and changes no verdict of the contract: what a platform cannot use
// may be lawful all the same.
package platforms
