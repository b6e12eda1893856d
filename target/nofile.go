package target

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/address"
	"github.com/mcpconform/mcpconform/internal/credentials"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// ServerAt describes a server by its URL, with headers of the command line.
func ServerAt(address string, headers []conform.HeaderField) (Server, error) {
	if wrong, mend := badURL(address); wrong != "" {
		return Server{}, fmt.Errorf("the URL %s; %s", wrong, mend)
	}
	for _, h := range headers {
		if wrong := validHeader(h); wrong != "" {
			return Server{}, fmt.Errorf("%s; write --header 'Name: value'", wrong)
		}
	}
	return Server{URL: address, Transport: StreamableHTTP, Headers: headers}, nil
}

// ServerOf describes a server by the command that starts it.
func ServerOf(command []string) (Server, error) {
	if len(command) == 0 || command[0] == "" {
		return Server{}, fmt.Errorf("no command was given; write -- PROGRAM ARGUMENTS")
	}
	return Server{Command: command, Transport: Stdio}, nil
}

// FromURL gives a target without a file: nothing is known of its tools.
func FromURL(address string, headers []conform.HeaderField) (*File, error) {
	s, err := ServerAt(address, headers)
	if err != nil {
		return nil, err
	}
	return &File{Name: s.name(), Server: s, Timeouts: DefaultTimeouts}, nil
}

// FromCommand gives a target without a file for a server on stdio.
func FromCommand(command []string) (*File, error) {
	s, err := ServerOf(command)
	if err != nil {
		return nil, err
	}
	return &File{Name: s.name(), Server: s, Timeouts: DefaultTimeouts}, nil
}

// WithServer gives the same target on another server, as --url or -- CMD beside
// --target ask. A revision that the file pins stays pinned; headers, environment
// and copied files are the old server's and are left behind.
func (f *File) WithServer(s Server) *File {
	other := *f
	if s.Protocol == "" {
		s.Protocol = f.Server.Protocol
	}
	other.Server = s
	return &other
}

// WithHeaders gives the same target with further headers; one that the file has
// too is replaced.
func (f *File) WithHeaders(headers []conform.HeaderField) (*File, error) {
	if len(headers) == 0 {
		return f, nil
	}
	if f.Server.URL == "" {
		return nil, fmt.Errorf("headers were given for a server that is started by a command; give it its secrets in server.env")
	}
	other := *f
	other.Server.Headers = nil
	for _, old := range f.Server.Headers {
		replaced := slices.ContainsFunc(headers, func(h conform.HeaderField) bool { return strings.EqualFold(h.Name, old.Name) })
		if !replaced {
			other.Server.Headers = append(other.Server.Headers, old)
		}
	}
	for _, h := range headers {
		if wrong := validHeader(h); wrong != "" {
			return nil, fmt.Errorf("%s; write --header 'Name: value'", wrong)
		}
		other.Server.Headers = append(other.Server.Headers, h)
	}
	return &other, nil
}

// WithTLS gives the same target with what a command line says of TLS in the place of
// what the file says, field by field.
func (f *File) WithTLS(t wire.Trust) (*File, error) {
	if t.IsZero() {
		return f, nil
	}
	other := *f
	trust := &other.Server.TLS
	if t.CertFile != "" || t.KeyFile != "" {
		trust.CertFile, trust.KeyFile = t.CertFile, t.KeyFile
	}
	trust.CAFile, trust.ServerName = cmp.Or(t.CAFile, trust.CAFile), cmp.Or(t.ServerName, trust.ServerName)
	trust.Insecure = trust.Insecure || t.Insecure
	if wrong := f.Server.withoutTLS(); wrong != "" {
		return nil, errors.New(wrong)
	}
	if _, err := trust.Config(); err != nil {
		return nil, err
	}
	return &other, nil
}

// WithAuth gives the same target with other credentials, or with none but its headers.
func (f *File) WithAuth(c credentials.Config) *File {
	other := *f
	other.Server.Auth = c
	if c.Client != nil {
		other.Server.used = append(slices.Clone(other.Server.used), Secret{c.Client.SecretName, c.Client.Secret})
	}
	return &other
}

// UserInURL tells whether the server's URL holds a user, who is shown to it.
func (f *File) UserInURL() bool {
	at, err := address.Parse(f.Server.URL)
	return err == nil && at.URL != nil && at.URL.User != nil
}

// withoutTLS says why nothing of TLS has a meaning for the server; empty: it has.
func (s *Server) withoutTLS() string {
	if at, err := address.Parse(s.URL); err == nil && at.URL.Scheme == "https" {
		return ""
	}
	return "certificates go with a URL that begins with https://"
}

// Reachable tells whether the target says where its server is, and else what to do.
func (f *File) Reachable() error {
	if f.Server.URL != "" || len(f.Server.Command) > 0 {
		return nil
	}
	return &Error{File: f.Path, What: "the file has no `server`", Mend: "add it, or give --url URL or -- COMMAND"}
}

// name is what a server is called that nobody gave a name.
func (s *Server) name() string {
	if len(s.Command) > 0 {
		return filepath.Base(s.Command[0])
	}
	if at, err := address.Parse(s.URL); err == nil {
		return at.Host()
	}
	return ""
}
