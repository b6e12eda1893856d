// Package agentplatform is the multi-item agent platform's side of a call, as pure
// functions: how its transports turn an answer into an envelope, what of that it
// recognises as the results of a batch, and what its model is shown. It judges
// nothing, and talks to nobody.
//
// Where the platform's own code could not be read, the reading is the one of
// docs/contract.md, and no server is held to it.
package agentplatform
