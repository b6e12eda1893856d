package conform

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// TranscriptSchema names the format of a transcript's first line.
const TranscriptSchema = "mcpconform.transcript/v1"

// MaxLine bounds one line of a transcript: the largest answer we take (16 MiB),
// escaped at worst.
const MaxLine = 128 << 20

// Header is a transcript's first line.
type Header struct {
	Schema      string      `json:"schema"`
	Tool        Tool        `json:"tool"`
	Catalogue   Catalogue   `json:"catalogue"`
	Run         Run         `json:"run"`
	Environment Environment `json:"environment"`
	Target      Target      `json:"target"`
	// Masked are the paths and header fields whose values are pseudonyms in this
	// recording; empty: everything but secrets stands in it as it was.
	Masked []string `json:"masked,omitempty"`
	// Sample says that it holds some calls of a load, and not all that were made; nil:
	// it is whole.
	Sample *Sample `json:"sample,omitempty"`
}

// Sample says which calls of a load were recorded: those that were wrong or failed, and
// of each user's others one in Every, up to MaxBytes of requests and answers.
type Sample struct {
	Every    int   `json:"every"`
	MaxBytes int64 `json:"max_bytes"`
}

// Tool is the version of mcpconform that recorded or judged.
type Tool struct {
	Version string `json:"version"`
}

// Catalogue is the set of checks a run was judged by.
type Catalogue struct {
	Set    string `json:"set"`
	Digest string `json:"digest"`
}

// Run is how a run was asked for.
type Run struct {
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Seed    uint64    `json:"seed"`
	Effort  string    `json:"effort"` // quick | standard | full
	Repeat  int       `json:"repeat,omitempty"`
	// Sessions and InFlight are how many sessions calls in flight together were spread
	// over, and how many each had out, where the run said so; 0: it did not.
	Sessions int               `json:"sessions,omitempty"`
	InFlight int               `json:"in_flight,omitempty"`
	Command  string            `json:"command"` // the command line, secrets redacted
	Labels   map[string]string `json:"labels,omitempty"`

	// What a run was narrowed to, and how it is judged.
	Checks     []string `json:"checks,omitempty"`
	Skip       []string `json:"skip,omitempty"`
	Scenarios  []string `json:"scenarios,omitempty"`
	Operations []string `json:"operations,omitempty"`
	Levels     []Level  `json:"levels,omitempty"` // of the checks; empty: all
	Rerun      *Rerun   `json:"rerun,omitempty"`  // nil: it is none
	Strict     bool     `json:"strict,omitempty"`
	Replay     []string `json:"replay,omitempty"` // --replay: the generated batches that alone were played
	Bases      []Basis  `json:"bases,omitempty"`  // --basis: bases whose MUSTs count; empty: all
	ReadOnly   bool     `json:"read_only,omitempty"`
	// Profiles are the client platforms that it is judged for besides, ServerName what
	// the server is called there; with GateProfile their errors count.
	Profiles    []string `json:"profiles,omitempty"`
	ServerName  string   `json:"server_name,omitempty"`
	GateProfile bool     `json:"gate_profile,omitempty"`
}

// Environment is the machine the harness ran on.
type Environment struct {
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	CPU    string `json:"cpu_model"`
	Cores  int    `json:"cores"`
	Memory int64  `json:"memory"` // bytes
	Go     string `json:"go"`
}

// WriteLine appends one value of a transcript as a line, in one Write.
func WriteLine(w io.Writer, line any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		return fmt.Errorf("encoding a transcript line: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// ErrNoTranscript is returned for a file that does not begin as a transcript.
var ErrNoTranscript = errors.New("not a transcript")

// ReadTranscript reads a header and its observations. A last line without a line
// feed was cut off by a kill: it is left out. Anything else that does not read
// is an error with its line number.
func ReadTranscript(r io.Reader) (Header, []Observation, error) {
	var header Header
	var observations []Observation
	in := bufio.NewReaderSize(r, 1<<20)
	for number := 1; ; number++ {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) {
			if number == 1 {
				return header, nil, fmt.Errorf("%w: the file is empty, or its first line is not whole", ErrNoTranscript)
			}
			return header, observations, nil
		}
		if err != nil {
			return header, nil, fmt.Errorf("line %d: %w", number, err)
		}
		if number == 1 {
			if err := json.Unmarshal(line, &header); err != nil || header.Schema == "" {
				return header, nil, fmt.Errorf("%w: line 1 is no header with a schema", ErrNoTranscript)
			}
			if header.Schema != TranscriptSchema {
				return header, nil, fmt.Errorf("line 1: schema %q, this version reads %q", header.Schema, TranscriptSchema)
			}
			continue
		}
		var o Observation
		if err := json.Unmarshal(line, &o); err != nil {
			return header, nil, fmt.Errorf("line %d: %w", number, err)
		}
		observations = append(observations, o)
	}
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > MaxLine:
			return nil, fmt.Errorf("longer than %d bytes", MaxLine)
		}
	}
}
