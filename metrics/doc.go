// Package metrics shows how a pgtasker database is: to Prometheus and to OpenTelemetry.
//
// It keeps nothing and counts nothing: each scrape or export is one reading of the database's own
// functions (health, queues, totals, dead-letter queue, maintenance), which cost the same however many
// tasks have ended. Every metric is described once, in families.go. Both exporters walk that list.
//
//	                  ┌─ Collector ── Prometheus registry, Handler
//	tasker.get_… ──▶ reading ──┤
//	                  └─ Observe ─── OpenTelemetry meter
//
// Any number of processes may show the same database: they say the same. Counters come from the totals
// that maintenance brings up to date, so they move once a minute. pgtasker_rollup_age_seconds tells
// how long ago that was.
//
// It is a module of its own, so that users of the library do not get the dependencies.
package metrics
