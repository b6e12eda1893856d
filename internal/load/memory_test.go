package load

import (
	"strings"
	"testing"
)

func TestWhatIsRememberedHasBounds(t *testing.T) {
	var r room
	var m memory
	id := []byte("1234567890")
	small := []byte(`{"id":1234567890,"x":1}`)
	m.hold(small, 6, allRight, &r)
	if m.recall([]byte(`{"id":1234567890,"x":1}`), id) != allRight || m.recall([]byte(`{"id":1234567891,"x":1}`), []byte("1234567891")) != allRight {
		t.Error("it is not remembered")
	}
	for _, other := range []string{`{"id":1234567891,"x":1}`, `{"id":1234567890,"x":2}`, `{"id":1234567890,"x":12}`, ``} {
		if m.recall([]byte(other), id) != nil {
			t.Errorf("%s is taken for it", other)
		}
	}
	huge := []byte(strings.Repeat(" ", mostRemembered+1024))
	m.hold(huge, 0, allRight, &r)
	if m.message != nil || m.recall(huge, id) != nil {
		t.Error("there was room for too much")
	}
	m.hold(small, 6, allRight, &r)
	if m.recall(small, id) == nil {
		t.Error("there was no room afterwards")
	}
}

func TestIDsHaveTenDigitsAndNeverMeet(t *testing.T) {
	ids := NewIDs()
	one, other := User{IDs: ids}, User{IDs: ids}
	seen := map[uint64]bool{}
	for range 3 * idBlock {
		for _, u := range []*User{&one, &other} {
			id := u.nextID()
			if seen[id] || id < firstID || id > lastID {
				t.Fatalf("id %d", id)
			}
			seen[id] = true
		}
	}
	ids.next.Store((lastID-firstID+1)/idBlock - 1)
	if last, first := ids.block(), ids.block(); last+idBlock-1 > lastID || first != firstID {
		t.Errorf("the last block begins at %d, the next at %d", last, first)
	}
}
