package main

// since gives the seconds that those who were there before have used since.
func (t processorTime) since(before processorTime) (seconds float64) {
	for id, used := range t {
		if was, there := before[id]; there {
			seconds += used - was
		}
	}
	return seconds
}
