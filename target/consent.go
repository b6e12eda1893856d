package target

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/internal/address"
)

// MayWrite tells whether writes may go to a host (a name or address, with or
// without a port; empty: a server that we start as a command), and else why not.
//
// Consent is given by name, and never follows an address: it holds for the host
// in the file's own server.url, for those under safety.write_hosts and of
// AllowWrite, and for commands. This machine (localhost, 127.0.0.0/8, ::1) needs
// none where the file names no server.url of its own. Where it names one, and
// the run was pointed elsewhere by --url, any other host needs to be listed,
// even on this machine: behind a port here may stand a tunnel to anywhere.
//
// The address of an environment (--env) brings no consent but on this machine: who
// chose a name may not have looked where it leads.
//
// A file that says `write_hosts: none` consents to nothing: what it names itself,
// commands and this machine included, is written to only by AllowWrite.
func (f *File) MayWrite(host string) (may bool, reason string) {
	if host == "" {
		if f.Safety.Unasked {
			return false, "the target file consents to no writes (`safety: {write_hosts: none}`); take that out if what the command works on may be written to"
		}
		return true, ""
	}
	name := HostName(host)
	if f.Safety.Unasked {
		if slices.ContainsFunc(f.allowed, func(listed string) bool { return HostName(listed) == name }) {
			return true, ""
		}
		return false, fmt.Sprintf("the target file consents to no writes (`safety: {write_hosts: none}`); if %[1]s may be written to, write `write_hosts: [%[1]s]` in its place, or give --allow-write %[1]s", printable(name))
	}
	if f.home != "" && name == f.home && (!f.moved || Loopback(host)) {
		return true, ""
	}
	for _, listed := range append(append([]string{}, f.Safety.WriteHosts...), f.allowed...) {
		if HostName(listed) == name {
			return true, ""
		}
	}
	mend := "name it under `safety: {write_hosts: [" + printable(name) + "]}` in the target file, or give --allow-write " + printable(name)
	if f.moved && name == f.home {
		return false, fmt.Sprintf("the address is that of the environment %s, and an environment's address brings no consent to writes; name it there, `safety: {write_hosts: [%[2]s]}`, or give --allow-write %[2]s",
			printable(f.Environment), printable(name))
	}
	if f.home != "" {
		return false, fmt.Sprintf("nobody has consented to writes on %s: the target file's own server is %s, and its consent does not follow to another host; %s",
			printable(name), printable(f.home), mend)
	}
	if Loopback(host) {
		return true, ""
	}
	return false, fmt.Sprintf("nobody has consented to writes on %s; %s", printable(name), mend)
}

// AllowWrite gives the same target with consent to writes on further hosts, each
// a name or address alone.
func (f *File) AllowWrite(hosts ...string) (*File, error) {
	for _, host := range hosts {
		if wrong := badHost(host); wrong != "" {
			return nil, fmt.Errorf("%q %s", printable(host), wrong)
		}
	}
	other := *f
	other.allowed = append(append([]string{}, f.allowed...), hosts...)
	return &other, nil
}

// badHost says why a text is no host.
func badHost(host string) string {
	if at, err := address.Parse(host); address.IsSocket(host) && err == nil && at.Host() == host {
		return ""
	}
	bare := strings.Trim(host, "[]")
	switch {
	case strings.TrimSpace(bare) == "":
		return "names no host"
	case strings.ContainsAny(host, "/@ *"), strings.Contains(bare, ":") && net.ParseIP(bare) == nil:
		return "is no host: write the name alone, without scheme, port and path"
	}
	return ""
}

// Loopback tells whether a host is this machine: localhost, 127.0.0.0/8, ::1, and
// unix sockets.
// Any other name is taken for foreign, wherever it resolves.
func Loopback(host string) bool {
	name := HostName(host)
	if name == "localhost" || address.IsSocket(name) {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}

// HostName gives the name or address of a host alone, in the form in which two of
// them are compared: without port and brackets, in small letters, without the dot
// of a full name, an IPv4 address that is written as IPv6 as what it is. A unix
// socket's is unix: and its path.
func HostName(host string) string {
	if address.IsSocket(host) {
		return host
	}
	name := host
	if bare, _, err := net.SplitHostPort(host); err == nil {
		name = bare
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if ip, err := netip.ParseAddr(name); err == nil {
		return ip.Unmap().String()
	}
	return name
}

// hostOf gives the host of a URL in that form; empty for what is no URL.
func hostOf(text string) string {
	at, err := address.Parse(text)
	if err != nil {
		return ""
	}
	return HostName(at.Host())
}
