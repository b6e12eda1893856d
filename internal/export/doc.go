// Package export shows the figures of a load under way to other tools: to a Prometheus
// that asks for them, and to a collector of OpenTelemetry metrics, which is sent them.
// Both read campaign.Live and so cost the load next to nothing; what a report says is
// counted apart. Both are counters since the run began, warm-ups apart from what is
// measured.
package export
