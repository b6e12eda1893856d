package credentials

import (
	"time"

	"github.com/mcpconform/mcpconform/internal/wire"
)

// Config says how credentials are got. At most one of its ways is given; the zero value
// has none.
type Config struct {
	Bearer     string // a token that stays
	BearerName string // what it is called where it would be seen
	File       string // holds the token, and is read again when it is refused
	Command    *Command
	Client     *Client
	Login      *Login
}

// IsZero tells whether there are no credentials.
func (c Config) IsZero() bool {
	return c.Bearer == "" && c.File == "" && c.Command == nil && c.Client == nil && c.Login == nil
}

// Command prints a token.
type Command struct {
	Words   []string // a program and its arguments
	Shell   string   // in their place: what the system's shell is to run
	Timeout time.Duration

	Line, Column int // in the target file
}

// DefaultCommandTime bounds a command for which nothing is said.
const DefaultCommandTime = 30 * time.Second

// The ways in which a client shows its secret to the token endpoint.
const (
	MethodBasic = "basic" // client_secret_basic
	MethodPost  = "post"  // client_secret_post
)

// Methods are all of them.
var Methods = []string{MethodBasic, MethodPost}

// Client is a client of an authorization server that asks in its own name (RFC 6749,
// section 4.4).
type Client struct {
	Party
	TokenURL string // empty: found by the server's and the authorization server's metadata
}

// Login is a person's login; `mcpconform login` makes it.
type Login struct {
	Party
	// DocumentURL is the URL of a client ID metadata document, which then is the client's
	// id. Without it and without an ID the client is registered.
	DocumentURL string
	Port        int // of the redirect on the loopback address; 0: any that is free
}

// Party is who asks for tokens, and of whom.
type Party struct {
	ID         string
	Secret     string // empty: the client has none
	SecretName string // what the secret is called where it would be seen
	Method     string // basic or post; empty: as the authorization server's metadata say
	Scopes     []string
	// Issuer is the authorization server; empty: the one that the server names. What is
	// named here is the only one to whom the secret is shown.
	Issuer   string
	Resource string // sent as RFC 8707 has it; empty: as the server's metadata say, else its URL
}

// Server is whom credentials are for.
type Server struct {
	URL   string
	Trust wire.Trust // of the server's own host; its CA is believed of authorization servers as well
}
