// Package erasestorm erases runs while workers and retention run, tasks are created, sessions are terminated and the server crashes.
// No data of an erased run is left in any table, and no data of another run is missing.
package erasestorm
