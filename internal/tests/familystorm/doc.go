// Package familystorm has many workers run families of tasks on three levels, while operators cancel, reset and retry, sessions
// are terminated and the server crashes. No deadlock occurs, and no task stays open. It does the same with failure branches, races, bounded
// waits for a worker, maps of tasks, and events that start and cancel tasks.
package familystorm
