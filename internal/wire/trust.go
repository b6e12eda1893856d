package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
)

// Trust says whom a connection over TLS believes, and by what the server knows us.
// The zero value believes those whom the system believes, and shows no certificate.
type Trust struct {
	// CAFile holds certificates in PEM form, which are believed in the place of the
	// system's.
	CAFile string
	// CertFile and KeyFile are our own certificate, with those between it and its CA
	// behind it, and its key, in PEM form. Both or neither.
	CertFile, KeyFile string
	// ServerName is the name that the server's certificate must be for; empty: the
	// host of the URL.
	ServerName string
	// Insecure believes every certificate.
	Insecure bool
}

// IsZero tells whether nothing is said.
func (t Trust) IsZero() bool { return t == Trust{} }

// Config reads the files. The error names the file and what to do.
func (t Trust) Config() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: t.ServerName, InsecureSkipVerify: t.Insecure}
	if t.CAFile != "" {
		text, err := os.ReadFile(t.CAFile)
		if err != nil {
			return nil, fmt.Errorf("reading the file of CA certificates: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("the file of CA certificates %s holds none in PEM form (-----BEGIN CERTIFICATE-----)", t.CAFile)
		}
	}
	switch {
	case t.CertFile == "" && t.KeyFile == "":
	case t.KeyFile == "":
		return nil, fmt.Errorf("the client certificate %s has no key beside it: name the file of its key, too", t.CertFile)
	case t.CertFile == "":
		return nil, fmt.Errorf("the key %s has no certificate beside it: name the file of the client certificate, too", t.KeyFile)
	default:
		ours, err := tls.LoadX509KeyPair(t.CertFile, t.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("reading the client certificate %s and its key %s: %w", t.CertFile, t.KeyFile, err)
		}
		// Not Certificates: a certificate that the server's list of CAs does not name would
		// silently stay at home, and the server could not say what is wrong with it.
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &ours, nil }
	}
	return config, nil
}

// overTLS has a client's connections note whether the server asked for a certificate.
// A server of TLS 1.3 that does not like ours, or misses one, says so only behind the
// handshake, and often by a lost connection alone.
func (c *Client) overTLS() (*tls.Config, error) {
	config, err := c.config.Trust.Config()
	if err != nil {
		return nil, err
	}
	ours := config.GetClientCertificate
	config.GetClientCertificate = func(asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		c.certificateAsked.Store(true)
		if ours == nil {
			return &tls.Certificate{}, nil
		}
		return ours(asked)
	}
	return config, nil
}

// distrust says what an error of TLS means, and what to do; empty: it is none.
func (c *Client) distrust(err error) string {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var plain tls.RecordHeaderError
	var alert *net.OpError
	switch {
	case errors.As(err, &unknown):
		return fmt.Sprintf("the server's certificate is signed by nobody who is trusted%s: give the CA's certificate with `server: {tls: {ca_file: FILE}}` or --ca-file FILE", issuer(unknown.Cert))
	case errors.As(err, &name):
		return fmt.Sprintf("the server's certificate is for another name (%v): say the right one with `server: {tls: {server_name: NAME}}`, or use it in the URL", name)
	case errors.As(err, &invalid):
		return fmt.Sprintf("the server's certificate is not good (%v)", invalid)
	case errors.As(err, &plain):
		return "what answers there does not speak TLS: is the URL to begin with http://?"
	case !c.answered.Load() && errors.As(err, &alert) && alert.Op == "remote error" && strings.Contains(alert.Err.Error(), "tls"):
		if why := c.turnedAway(); why != "" {
			return why + " (" + alert.Err.Error() + ")"
		}
		return "the server ended the handshake of TLS (" + alert.Err.Error() + ")"
	}
	return ""
}

// turnedAway says why a server that has not answered anything so far is likely to have
// ended a connection: it asked for a certificate. Empty: it did not.
func (c *Client) turnedAway() string {
	switch {
	case !c.certificateAsked.Load() || c.answered.Load():
		return ""
	case c.config.Trust.CertFile == "":
		return "the server asks for a client certificate, and none was given: name one with `server: {tls: {cert_file: FILE, key_file: FILE}}` or --cert FILE --key FILE"
	}
	return "the server asks for a client certificate, and ended the connection when it got ours: is it the right one?"
}

func issuer(cert *x509.Certificate) string {
	if cert == nil {
		return ""
	}
	return fmt.Sprintf(" (its issuer is %q)", cert.Issuer.String())
}
