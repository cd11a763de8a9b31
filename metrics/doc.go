// Package metrics exports the state of a pgtasker database to Prometheus and OpenTelemetry.
//
// The package stores and counts nothing: each scrape or export calls functions of the database once (health, queues, totals, dead-letter
// queue, maintenance). The cost of these functions does not grow with the number of ended tasks. Every metric is described once, in
// families.go. Both exporters use that list.
//
//	                  ┌─ Collector ── Prometheus registry, Handler
//	tasker.get_… ──▶ reading ──┤
//	                  └─ Observe ─── OpenTelemetry meter
//
// Any number of processes may export the same database, with equal values. Counters come from totals that maintenance updates, so they
// change once a minute. pgtasker_rollup_age_seconds is the time since that update.
//
// The package is a separate module, so that users of the library do not get its dependencies.
package metrics
