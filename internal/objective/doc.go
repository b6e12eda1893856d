// Package objective reads what a server is to achieve under load, and decides whether
// what was measured shows it: it holds, it is broken, or that cannot be told, and then
// how many calls would tell. It decides by confidence bounds, never by the figure
// alone, so that a lucky short run is no proof and an unlucky one no alarm.
//
//	cancel-products batch=100 p95<=800ms wrong=0
//	query-* concurrency=8 items/s>=5000 errors<=0.1%
package objective
