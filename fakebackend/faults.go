package fakebackend

import (
	"slices"
	"strings"
	"sync"
)

// allFaults is the table of faults.
var allFaults = sync.OnceValue(func() []Fault {
	all := slices.Concat(envelopeFaults(), rowFaults(), aggregateFaults(), validatorFaults(), inputFaults(),
		workflowFaults(), idempotencyFaults(), readFaults(), loadFaults(), effectFaults(), scopeFaults(), protocolFaults(),
		confirmFaults(), taskFaults(), jobFaults(), pageFaults(), dryRunFaults(), progressFaults())
	for i := range all {
		all[i].Check, _, _ = strings.Cut(all[i].ID, "/")
		if all[i].Transports == nil {
			all[i].Transports = both
		}
	}
	return all
})
