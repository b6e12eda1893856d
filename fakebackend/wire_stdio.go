package fakebackend

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"sync"
)

// around puts the faults that show on the transport around a pair of pipes. The
// context is done when a fault has the process end.
func (fs faults) around(in io.Reader, out io.Writer) (io.Reader, io.Writer, context.Context) {
	if !fs.speak() {
		return in, out, context.Background()
	}
	gone, die := context.WithCancelCause(context.Background())
	s := &stdio{faults: fs, in: bufio.NewReader(in), out: out, open: map[string]*exchange{}, die: die}
	for _, f := range fs {
		if f.how.wire.banner != "" {
			s.banner = f.how.wire.banner + "\n"
		}
	}
	return readSide{s}, writeSide{s}, gone
}

// stdio reads lines on one side, keeps in mind what they ask, and changes the
// answers on the other.
type stdio struct {
	faults faults
	in     *bufio.Reader
	out    io.Writer
	die    context.CancelCauseFunc

	left []byte // of the line that is being read

	mu     sync.Mutex
	open   map[string]*exchange // by id
	banner string               // not written yet
	held   bytes.Buffer         // of the line that is being written
}

type readSide struct{ *stdio }

func (s readSide) Read(p []byte) (int, error) {
	if len(s.left) == 0 {
		text, err := s.line()
		if err != nil {
			return 0, err
		}
		s.left = text
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}

// line reads the next line, its ending included, and takes note of it.
func (s readSide) line() ([]byte, error) {
	if err := s.greet(); err != nil {
		return nil, err
	}
	text, err := readLine(s.in)
	if err != nil {
		return nil, err
	}
	bare := bytes.TrimRight(text, "\r\n")
	if changed := s.faults.asked(bare); !bytes.Equal(changed, bare) {
		text = append(bytes.Clone(changed), '\n')
	}
	if x := readExchange(bytes.TrimSpace(text)); x != nil && x.id != nil {
		if s.faults.dies(x) {
			s.die(errDied)
			return nil, io.EOF
		}
		s.mu.Lock()
		s.open[string(x.id)] = x
		s.mu.Unlock()
	}
	return text, nil
}

// greet writes the banner, once.
func (s *stdio) greet() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	banner := s.banner
	if banner == "" {
		return nil
	}
	s.banner = ""
	_, err := io.WriteString(s.out, banner)
	return err
}

type writeSide struct{ *stdio }

func (s writeSide) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held.Write(p)
	for {
		text, err := s.held.ReadBytes('\n')
		if err != nil { // no whole line: it stays until the rest comes
			s.held.Write(text)
			return len(p), nil
		}
		if _, err := s.out.Write(s.rewritten(text)); err != nil {
			return 0, err
		}
	}
}

// rewritten gives what goes out in place of a line.
func (s *stdio) rewritten(text []byte) []byte {
	v, err := decode(text)
	message, ok := v.(*object)
	if err != nil || !ok || message.has("method") || !message.has("id") {
		return text
	}
	id := string(encode(message.get("id")))
	x := s.open[id]
	if x == nil {
		return text
	}
	delete(s.open, id)
	lines, changed := s.faults.bent(x, message, Stdio)
	if !changed {
		return text
	}
	var b bytes.Buffer
	for _, one := range lines {
		b.Write(one)
		b.WriteByte('\n')
	}
	return b.Bytes()
}
