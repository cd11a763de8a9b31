// Package crontest compares the cron expressions of the database with a plain reference, and lets many workers fire many
// schedules.
//
// The reference walks through time minute by minute, as a clock on the wall would show it. It shares no code with the
// database, which computes the next tick in another way:
//
//	wall clock:  01:58  01:59 | 03:00  03:01      put forward: the tick of 02:30 comes at 03:30
//	wall clock:  02:58  02:59 | 02:00  02:01      put back: the tick of 02:30 comes only the first time
//	                                              (both times, if the expression means every hour)
package crontest
