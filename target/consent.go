package target

import (
	"net"
	"strings"
)

// MayWrite tells whether writes may go to a host (a name or address, with or
// without a port; empty: a server on stdio), and else why not.
//
// Writes go to loopback and to commands that we start. Other hosts are refused,
// also those under safety.write_hosts: this version cannot put back what it
// wrote, so it does not write where other people work.
func (f *File) MayWrite(host string) (may bool, reason string) {
	if host == "" || Loopback(host) {
		return true, ""
	}
	reason = "writing to " + printable(host) + " is not served by this version yet: it is not a loopback address"
	for _, listed := range f.Safety.WriteHosts {
		if strings.EqualFold(strings.Trim(listed, "[]"), hostname(host)) {
			reason += " (safety.write_hosts names it, and will be heeded)"
		}
	}
	return false, reason
}

// Loopback tells whether a host is this machine: localhost, 127.0.0.0/8, ::1.
// Any other name is taken for foreign, wherever it resolves.
func Loopback(host string) bool {
	name := hostname(host)
	if strings.EqualFold(strings.TrimSuffix(name, "."), "localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
