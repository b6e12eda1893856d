// Package address reads where a server over HTTP is: behind a host and a port, or
// behind a unix socket. It opens nothing.
package address

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"strings"
)

// Address is where requests go. The zero value is nowhere.
type Address struct {
	// URL is the address as a request names it, userinfo included and without a
	// fragment. Behind a unix socket its host is localhost.
	URL *url.URL
	// Socket is the path of the unix socket; empty: URL's host and port are dialled.
	Socket string
}

// The ways in which a unix socket is written. The first is nginx's, with the path of
// the request behind a colon; the second is the one of HTTP clients that take URLs
// alone, with the socket's path percent-encoded in the host's place.
const (
	unix     = "unix:"
	httpUnix = "http+unix://"
)

// IsSocket tells whether a text is meant as the address of a unix socket.
func IsSocket(text string) bool {
	return strings.HasPrefix(text, unix) || strings.HasPrefix(text, httpUnix)
}

// Parse reads http://host:port/path, https://…, unix:/run/mcp.sock:/path or
// http+unix://%2Frun%2Fmcp.sock/path. An error says nothing of the text, which may
// hold a password.
func Parse(text string) (Address, error) {
	if IsSocket(text) {
		return parseSocket(text)
	}
	u, err := url.Parse(text)
	if err != nil {
		return Address{}, errors.New("it does not read as a URL: write http://host:port/path")
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return Address{}, errors.New("it is neither http://host:port/path, https://… nor unix:/path/of.sock")
	}
	u.Fragment, u.RawFragment = "", ""
	return Address{URL: u}, nil
}

func parseSocket(text string) (Address, error) {
	var socket, rest string
	if host, ok := strings.CutPrefix(text, httpUnix); ok {
		encoded, behind, slash := strings.Cut(host, "/")
		decoded, err := url.PathUnescape(encoded)
		if err != nil {
			return Address{}, errors.New("the socket's path is not percent-encoded")
		}
		if slash {
			rest = "/" + behind
		}
		socket = decoded
	} else {
		plain := strings.TrimPrefix(strings.TrimPrefix(text, unix), "//") // unix:///run/mcp.sock, too
		if at := strings.Index(plain, ":/"); at >= 0 {
			plain, rest = plain[:at], plain[at+1:]
		}
		socket = plain
	}
	if !path.IsAbs(socket) && !strings.Contains(socket, `:\`) {
		return Address{}, errors.New("the path of a unix socket is written from the root, like unix:/run/mcp.sock")
	}
	u, err := url.Parse("http://localhost" + cmp.Or(rest, "/"))
	if err != nil {
		return Address{}, errors.New("what follows the socket does not read as the path of a URL: write unix:/run/mcp.sock:/mcp")
	}
	u.Fragment, u.RawFragment = "", ""
	return Address{URL: u, Socket: socket}, nil
}

// String writes the address so that Parse reads it back, userinfo included.
func (a Address) String() string {
	switch {
	case a.URL == nil:
		return ""
	case a.Socket == "":
		return a.URL.String()
	}
	return unix + a.Socket + ":" + a.URL.RequestURI()
}

// Host gives the host and port of the address as people name it; that of a unix
// socket is unix: and its path.
func (a Address) Host() string {
	switch {
	case a.URL == nil:
		return ""
	case a.Socket != "":
		return unix + a.Socket
	}
	return a.URL.Host
}

// Dial gives what is dialled: a network of package net and an address in it.
func (a Address) Dial() (network, address string) {
	if a.Socket != "" {
		return "unix", a.Socket
	}
	port := cmp.Or(a.URL.Port(), map[string]string{"http": "80", "https": "443"}[a.URL.Scheme])
	return "tcp", net.JoinHostPort(a.URL.Hostname(), port)
}

// Beside gives the address of another path of the same server: path begins with a
// slash and may have a query.
func (a Address) Beside(path string) (Address, error) {
	at, err := url.Parse(path)
	if err != nil || !strings.HasPrefix(path, "/") || at.Host != "" {
		return Address{}, fmt.Errorf("%q is no path on the server's host", path)
	}
	there := *a.URL
	there.User, there.Path, there.RawPath, there.RawQuery = nil, at.Path, at.RawPath, at.RawQuery
	return Address{URL: &there, Socket: a.Socket}, nil
}
