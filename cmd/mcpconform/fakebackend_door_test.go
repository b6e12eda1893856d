package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/target"
)

// TestFakeBackendsDoorFlagsThatMeanNothing has flags refused that would change nothing.
func TestFakeBackendsDoorFlagsThatMeanNothing(t *testing.T) {
	for _, words := range []string{
		"--http :0 --unix /run/x.sock", "--stdio --tls", "--stdio --gzip", "--stdio --redirect",
		"--http :0 --client-cert", "--http :0 --http1", "--unix /run/x.sock --tls", "--http :0 --redirect=302",
	} {
		mcpconform(t, append([]string{"fakebackend"}, strings.Fields(words)...)...).exits(t, 2)
	}
}

// TestInitWritesDownTLS has init write what it was given, by paths from the file's
// folder, so that the file connects from there.
func TestInitWritesDownTLS(t *testing.T) {
	certificates, ca, ours := certified(t)
	running := serving(t, "127.0.0.1:0", fakebackend.Options{TLS: certificates, DemandCertificate: true})
	file := filepath.Join(filepath.Dir(ca[1]), "target.yaml")
	words := append(append([]string{"init", "--url", running.URL, "-o", file}, ca...), ours...)
	mcpconform(t, words...).exits(t, 0)
	text := read(t, file)
	says(t, file, text, "tls: {ca_file: ca.pem, cert_file: client.pem, key_file: client-key.pem}")
	if strings.Contains(text, "FILL-IN") {
		text = strings.ReplaceAll(text, "FILL-IN", "filled")
	}
	if _, err := target.Parse(file, []byte(strings.ReplaceAll(text, "_file: ", "_file: "+filepath.Dir(file)+"/")), variables(nil)); err != nil {
		t.Error(err)
	}
}
