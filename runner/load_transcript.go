package runner

import (
	"cmp"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/load"
)

// Of a load's calls that were neither wrong nor failed, one in sampleEvery is recorded.
const sampleEvery = 1000

// MaxSample is the most that a sample of a load's calls may take, and DefaultSample
// what it takes where nothing is said; in bytes of requests and answers.
const (
	MaxSample     = 100 << 20
	DefaultSample = 64 << 20
)

// sampled is what the transcript of a load holds; nil: there is none.
func (o *LoadOptions) sampled() *conform.Sample {
	if o.Transcript == nil {
		return nil
	}
	return &conform.Sample{Every: sampleEvery, MaxBytes: cmp.Or(o.TranscriptMax, DefaultSample)}
}

// keepSome has some of the calls recorded, where there is a transcript.
func (l *loading) keepSome(judge *load.Judge) {
	if sample := l.header.Sample; sample != nil {
		judge.Keeper = &load.Keeper{Every: sample.Every, Most: sample.MaxBytes, Record: l.record.Record}
	}
}

// kept says what the transcript holds, and what it does not.
func (l *loading) kept() (notes []string) {
	if l.header.Sample == nil || l.bench == nil {
		return nil
	}
	keeper := l.bench.Judge.Keeper
	calls, full := keeper.Kept()
	note := fmt.Sprintf("the transcript is a sample of %d calls: those that were wrong or failed, and one in %d others", calls, keeper.Every)
	if full {
		note += fmt.Sprintf("; further ones were left out once it held %d MiB (--transcript-max)", keeper.Most>>20)
	}
	if err := l.record.broken(); err != nil {
		return append(notes, note, "the transcript ends early: "+err.Error())
	}
	return append(notes, note)
}
