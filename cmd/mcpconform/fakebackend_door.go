package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// doorFlags say by which way a fake backend is reached.
type doorFlags struct {
	unix   string
	tls    bool
	folder string
	demand bool
	http1  bool
	gzip   bool
	moved  int

	told string // what the user is told besides the URL
}

func (f *doorFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.unix, "unix", "", "serve streamable HTTP on a unix socket at `PATH`")
	flags.BoolVar(&f.tls, "tls", false, "serve over TLS and HTTP/2, by a CA that is thrown away; its certificate, and a client's, are written to a folder that is printed")
	flags.StringVar(&f.folder, "tls-dir", "", "serve over TLS, and write the certificates to this `FOLDER`")
	flags.BoolVar(&f.demand, "client-cert", false, "over TLS: refuse clients without a certificate of that CA")
	flags.BoolVar(&f.gzip, "gzip", false, "answer in gzip (HTTP)")
	flags.IntVar(&f.moved, "redirect", 0, "redirect messages to another path with `STATUS` 307 or 308 (HTTP)")
	flags.Lookup("redirect").NoOptDefVal = "307"
	flags.BoolVar(&f.http1, "http1", false, "over TLS: speak HTTP/1.1 only")
}

// into puts the flags into options. done takes away what was written for the time of
// serving.
func (f *doorFlags) into(o *fakebackend.Options, flags *pflag.FlagSet, stdio bool) (done func(), err error) {
	done = func() {}
	overTLS := f.tls || f.folder != ""
	for _, name := range []string{"gzip", "redirect", "tls", "tls-dir", "client-cert", "http1"} {
		if stdio && flags.Changed(name) {
			return done, usage(fmt.Errorf("--%s means nothing with --stdio", name), "serve with --http")
		}
	}
	o.Gzip, o.Redirect = f.gzip, f.moved
	for _, name := range []string{"tls", "tls-dir", "client-cert", "http1"} {
		switch {
		case !overTLS && flags.Changed(name):
			return done, usage(fmt.Errorf("--%s is given without TLS", name), "add --tls, or --tls-dir FOLDER")
		case f.unix != "" && flags.Changed(name):
			return done, usage(fmt.Errorf("--%s does not go with --unix", name), "serve with --http")
		}
	}
	if !overTLS {
		return done, nil
	}
	if o.TLS, err = fakebackend.NewCertificates(); err != nil {
		return done, &exitError{code: exitInternal, cause: err}
	}
	folder := f.folder
	if folder == "" {
		if folder, err = os.MkdirTemp("", "mcpconform-tls-"); err != nil {
			return done, &exitError{code: exitInternal, cause: fmt.Errorf("making a folder for the certificates: %w", err)}
		}
		done = func() { _ = os.RemoveAll(folder) } // what is left of it hurts nobody
	}
	if err := o.TLS.Write(folder); err != nil {
		done()
		return func() {}, usage(fmt.Errorf("writing the certificates: %w", err), "name another folder with --tls-dir")
	}
	o.DemandCertificate, o.HTTP1 = f.demand, f.http1
	f.told = fmt.Sprintf("certificates: %s (%s, %s, %s)", folder, fakebackend.CAFile, fakebackend.CertFile, fakebackend.KeyFile)
	return done, nil
}
