// Package crontest compares the cron expressions of the database with a plain reference, and lets many workers fire many
// schedules.
//
// The reference walks through time minute by minute, as a clock on the wall would show it. It shares no code with the
// database, which computes the next tick in another way:
//
//	wall clock:  01:58  01:59 | 03:00  03:01      put forward: 02:30 is ticked at 03:30
//	wall clock:  02:58  02:59 | 02:00  02:01      put back: 02:30 is ticked the first time only
//	                                              (every time, if every hour is meant)
package crontest
