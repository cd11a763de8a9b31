// Package familystorm has many workers run families of tasks on three levels, while operators cancel, reset and retry, sessions
// are terminated and the server crashes. No deadlock occurs, and no task stays open.
package familystorm
