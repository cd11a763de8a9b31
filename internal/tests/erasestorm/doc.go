// Package erasestorm erases runs while workers, retention, new tasks, terminated sessions and crashes of the server go on. Nothing of
// an erased run is left in any table, and nothing of another run is missing.
package erasestorm
