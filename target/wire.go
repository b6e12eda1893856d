package target

import "github.com/mcpconform/mcpconform/internal/wire"

// Wire gives what the wire client needs to reach the server and record what
// goes both ways. A target that asks for a folder of its own must have got it
// (MakeRunDir) before.
func (f *File) Wire(rec wire.Recorder) wire.Config {
	elicits, tasks := false, false
	for _, o := range f.Operations {
		elicits, tasks = elicits || o.Answers, tasks || o.Tasks
	}
	return wire.Config{
		Elicits:   elicits,
		Tasks:     tasks,
		Transport: string(f.Server.Transport),
		URL:       f.Server.URL,
		Header:    f.Server.Headers,
		Trust:     f.Server.TLS,
		Follow:    f.mayFollow,
		Command:   f.Server.Command,
		Dir:       f.Server.Dir,
		Env:       f.Server.Env,
		Protocol:  f.Server.Protocol,
		Timeouts:  wire.Timeouts{Connect: f.Timeouts.Connect, Start: f.Timeouts.Start, Call: f.Timeouts.Call},
		Recorder:  rec,
	}
}

// mayFollow tells whether messages may be sent on to another host than the server's:
// where there is consent to writes, and never from elsewhere to this machine, behind
// whose ports anything may stand.
func (f *File) mayFollow(host string) bool {
	if Loopback(host) && !Loopback(f.Host()) {
		return false
	}
	may, _ := f.MayWrite(host)
	return may
}
