// Package measure turns recorded calls into figures: latencies, rates and
// counts per operation and batch size. It looks at a recording only; it sends
// nothing, reads no clock, and judges no answer (which answers were wrong is
// told to it).
package measure
