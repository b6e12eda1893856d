// Package exposition reads what a server tells of itself in the text format of
// Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/), and in
// OpenMetrics 1.0 as far as the two agree: names, labels and values. Exemplars, units,
// help and timestamps are passed over. It asks nobody anything.
package exposition
