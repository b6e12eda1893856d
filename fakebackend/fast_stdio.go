package fakebackend

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"sync"
)

// overPipes puts the front between a pair of pipes and the SDK: lines that it
// answers are not read by the SDK, all others are.
func (f *fast) overPipes(ctx context.Context, in io.Reader, out io.Writer) (io.Reader, io.Writer) {
	p := &fastPipes{front: f, ctx: ctx, in: bufio.NewReaderSize(in, 64<<10), out: out, waiting: map[string]string{}}
	return fastReader{p}, fastWriter{p}
}

// fastPipes knows one client over pipes. It has one session, whose name is empty:
// what the SDK has answered with a result, the front answers from then on.
type fastPipes struct {
	front *fast
	ctx   context.Context
	in    *bufio.Reader
	left  []byte         // of the line that is being read by the SDK
	slow  sync.WaitGroup // calls that take their time

	mu      sync.Mutex
	out     io.Writer
	err     error             // of writing an answer
	waiting map[string]string // calls that the SDK has, by id: what will have been taken
	held    bytes.Buffer      // of the line that is being written by the SDK
	buffer  []byte            // of the last answer
}

type fastReader struct{ *fastPipes }

// Read gives the SDK the lines that are for it.
func (p fastReader) Read(b []byte) (int, error) {
	for len(p.left) == 0 {
		text, err := readLine(p.in)
		if err != nil {
			p.slow.Wait() // the SDK ends when this has
			return 0, err
		}
		p.left = p.rest(text)
	}
	n := copy(b, p.left)
	p.left = p.left[n:]
	return n, nil
}

// rest answers a line, or gives what the SDK has to answer and takes note of it. A
// call that takes its time is worked on beside the next ones, as the SDK does.
func (p *fastPipes) rest(text []byte) []byte {
	call, ok := p.front.read(text)
	if !ok {
		return text
	}
	key := string(append(append([]byte(call.tool.name), '\n'), call.meta...))
	if !p.front.vetted.has(nil, []byte(key)) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.waiting[string(call.id)] = key
		return text
	}
	if d := p.front.b.faults.draw(call.tool.name); len(d) > 0 {
		return append(d.marked(bytes.TrimRight(text, "\r\n")), '\n')
	}
	if !p.front.b.load.free() {
		p.slow.Go(func() { p.say(p.front.answer(p.ctx, nil, call)) })
		return nil
	}
	p.buffer = p.front.answer(p.ctx, p.buffer[:0], call)
	p.say(p.buffer)
	return nil
}

func (p *fastPipes) say(message []byte) {
	message = append(message, '\n')
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.out.Write(message); err != nil && p.err == nil {
		p.err = err
	}
}

type fastWriter struct{ *fastPipes }

// Write passes on whole lines of the SDK, and sees which calls it has taken.
func (p fastWriter) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return 0, p.err
	}
	p.held.Write(b)
	for {
		text, err := p.held.ReadBytes('\n')
		if err != nil { // no whole line: it stays until the rest comes
			p.held.Write(text)
			return len(b), nil
		}
		p.learn(text)
		if _, err := p.out.Write(text); err != nil {
			return 0, err
		}
	}
}

// learn keeps that a call was taken.
func (p *fastPipes) learn(text []byte) {
	s := scanner{text: text}
	var id []byte
	result := false
	s.members(func(name string) bool {
		value := s.value()
		switch name {
		case "id":
			id = value
		case "result":
			result = true
		}
		return value != nil
	})
	key, ours := p.waiting[string(id)]
	if !ours {
		return
	}
	delete(p.waiting, string(id))
	if result {
		p.front.vetted.pass(p.front.vetted.open(""), key)
	}
}
