// Package familystorm has families of tasks of three levels run by many workers while operators cancel, reset and retry,
// sessions are terminated and the server crashes: nothing deadlocks, and nothing is left open.
package familystorm
