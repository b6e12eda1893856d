package fakebackend

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"
)

// socketPrefix marks the address of a unix socket.
const socketPrefix = "unix:"

// Listen opens an address for an http.Server that serves the backend's handlers: host
// and port, or unix: and the path of a socket, over TLS where the options say so. It
// gives the URL of MCP there.
func (b *Backend) Listen(address string) (l net.Listener, url string, err error) {
	socket, isSocket := strings.CutPrefix(address, socketPrefix)
	if isSocket {
		l, err = net.Listen("unix", socket)
	} else {
		l, err = net.Listen("tcp", address)
	}
	if err != nil {
		return nil, "", fmt.Errorf("listening for the fake backend: %w", err)
	}
	url = "http://" + l.Addr().String() + "/mcp"
	if isSocket {
		url = socketPrefix + socket + ":/mcp"
	}
	l = b.Front(l)
	if b.options.TLS != nil {
		url = strings.Replace(url, "http://", "https://", 1)
		l = tls.NewListener(l, b.options.config())
	}
	return l, url, nil
}
