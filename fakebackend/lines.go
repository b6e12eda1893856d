package fakebackend

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// lineChanger reads lines and gives them changed.
type lineChanger struct {
	in     *bufio.Reader
	change func([]byte) []byte
	left   []byte // of the line that is being read
}

func newLineChanger(in io.Reader, change func([]byte) []byte) *lineChanger {
	return &lineChanger{in: bufio.NewReader(in), change: change}
}

// Read gives the next bytes of the changed lines.
func (l *lineChanger) Read(p []byte) (int, error) {
	if len(l.left) == 0 {
		text, err := readLine(l.in)
		if err != nil {
			return 0, err
		}
		l.left = append(bytes.Clone(l.change(bytes.TrimRight(text, "\r\n"))), '\n')
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// readLine reads a line with its ending; the last one may have none.
func readLine(in *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part...)
		if len(text) > MaxRequest {
			return nil, fmt.Errorf("a line of more than %d bytes", MaxRequest)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && len(text) == 0 {
			return nil, err
		}
		return text, nil
	}
}
