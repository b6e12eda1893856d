package fakebackend

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Certificates are a CA that nobody else knows, and what it has signed: a certificate
// for a server on this machine, and one for a client. They are good for a day.
type Certificates struct {
	ca     *x509.Certificate
	caKey  *ecdsa.PrivateKey
	server tls.Certificate
	client tls.Certificate
}

// The files that Write writes.
const (
	CAFile   = "ca.pem"
	CertFile = "client.pem"
	KeyFile  = "client-key.pem"
)

// throwaway is how long certificates are good.
const throwaway = 24 * time.Hour

// NewCertificates makes a CA, and has it sign. The server's certificate is for
// localhost, 127.0.0.1 and ::1.
func NewCertificates() (*Certificates, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	c := &Certificates{caKey: key}
	self := template("CA of a fake backend")
	self.IsCA, self.BasicConstraintsValid, self.KeyUsage = true, true, x509.KeyUsageCertSign
	bytes, err := x509.CreateCertificate(rand.Reader, self, self, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("signing a CA: %w", err)
	}
	if c.ca, err = x509.ParseCertificate(bytes); err != nil {
		return nil, fmt.Errorf("reading a CA: %w", err)
	}
	server := template("fake backend")
	server.DNSNames, server.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	client := template("client of a fake backend")
	client.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	var wrong [2]error
	c.server, wrong[0] = c.sign(server)
	c.client, wrong[1] = c.sign(client)
	return c, errors.Join(wrong[:]...)
}

func template(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)) // it never fails
	begun := time.Now().Add(-time.Hour)                                      // clocks differ
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name},
		NotBefore: begun, NotAfter: begun.Add(throwaway), KeyUsage: x509.KeyUsageDigitalSignature,
	}
}

func (c *Certificates) sign(what *x509.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a key: %w", err)
	}
	bytes, err := x509.CreateCertificate(rand.Reader, what, c.ca, key.Public(), c.caKey)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("signing the certificate of %s: %w", what.Subject.CommonName, err)
	}
	return tls.Certificate{Certificate: [][]byte{bytes, c.ca.Raw}, PrivateKey: key}, nil
}

// Write writes what a client needs into a folder: the CA's certificate, and a
// client's certificate and key. The folder is made if it is not there.
func (c *Certificates) Write(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	key, err := x509.MarshalPKCS8PrivateKey(c.client.PrivateKey)
	if err != nil {
		return fmt.Errorf("writing the client's key: %w", err)
	}
	for _, file := range []struct{ name, kind, text string }{
		{CAFile, "CERTIFICATE", string(c.ca.Raw)},
		{CertFile, "CERTIFICATE", string(c.client.Certificate[0])},
		{KeyFile, "PRIVATE KEY", string(key)},
	} {
		text := pem.EncodeToMemory(&pem.Block{Type: file.kind, Bytes: []byte(file.text)})
		if err := os.WriteFile(filepath.Join(folder, file.name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// config is how a server over TLS is. Without weather it speaks HTTP/2 as well:
// weather cuts connections, and in HTTP/2 all calls share one.
func (o *Options) config() *tls.Config {
	config := &tls.Config{Certificates: []tls.Certificate{o.TLS.server}, NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12}
	if o.HTTP1 || o.Weather != (Weather{}) {
		config.NextProtos = []string{"http/1.1"}
	}
	if o.DemandCertificate {
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		config.ClientCAs.AddCert(o.TLS.ca)
	}
	return config
}
