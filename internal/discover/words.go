package discover

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed words.txt
var wordFile string

// class is what a group of words says; the classes are those of words.txt.
type class string

const (
	reads    class = "read"
	checks   class = "validate"
	creates  class = "create"
	deletes  class = "delete"
	changes  class = "change"
	resets   class = "reset"
	undoes   class = "undo"
	gathers  class = "gather"
	small    class = "small"
	bulk     class = "bulk"
	generic  class = "generic"
	parts    class = "parts"
	prefix   class = "prefix"
	figures  class = "figures"
	place    class = "place"
	one      class = "one"
	several  class = "several"
	asking   class = "asking"
	ids      class = "id"
	names    class = "name"
	states   class = "state"
	and      class = "and"
	done     class = "done"
	failed   class = "failed"
	keys     class = "key"
	dry      class = "dry"
	plural   class = "plural"
	singular class = "singular"
	divided  class = "separated"
)

// verbs are the classes of verbs, in the order in which a word of two is taken.
var verbs = []class{reads, checks, deletes, creates, changes, resets, undoes, gathers}

// lexicon is words.txt, read.
type lexicon struct {
	words     map[class][]string // each once, in the file's order
	is        map[class]map[string]bool
	separated *regexp.Regexp
}

var lexicons = sync.OnceValue(func() *lexicon {
	l, err := readWords(wordFile)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return l
})

func readWords(text string) (*lexicon, error) {
	l := &lexicon{words: map[class][]string{}, is: map[class]map[string]bool{}}
	var patterns []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, rest, ok := strings.Cut(line, ": ")
		kind, language, two := strings.Cut(head, " ")
		if !ok || !two || len(language) != 2 {
			return nil, fmt.Errorf("words.txt:%d: a line is `class language: words`", number)
		}
		if class(kind) == divided {
			patterns = append(patterns, rest)
			continue
		}
		for _, word := range strings.Fields(rest) {
			if word != plain(word) {
				return nil, fmt.Errorf("words.txt:%d: %q has capitals or accents, and names are compared without", number, word)
			}
			if l.is[class(kind)] == nil {
				l.is[class(kind)] = map[string]bool{}
			}
			if !l.is[class(kind)][word] {
				l.is[class(kind)][word] = true
				l.words[class(kind)] = append(l.words[class(kind)], word)
			}
		}
	}
	var err error
	l.separated, err = regexp.Compile(`(?i)` + strings.Join(patterns, "|"))
	return l, err
}

// among tells whether a word is of a class.
func among(c class, word string) bool { return lexicons().is[c][word] }

// anyAmong tells whether one of the words is.
func anyAmong(c class, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return among(c, w) })
}

// edgeAmong tells whether the first or the last word is.
func edgeAmong(c class, words []string) bool {
	return len(words) > 0 && (among(c, words[0]) || among(c, words[len(words)-1]))
}
