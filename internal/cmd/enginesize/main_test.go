package main

import (
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// If two functions state a rule, the statements may drift apart. Reports and explanations may compare attempts, too,
// since they decide nothing.
func TestRules_StandOnce(t *testing.T) {
	t.Parallel()
	tree := os.DirFS("../../../db/schema")
	all, err := readBodies(tree)
	require.NoError(t, err)
	for rule, want := range map[string][]string{
		// For any move, for a completion and for the counts of children there are two functions: one works by key, and one by
		// set. A single start uses the function for any move.
		"write a step's state": {
			"settle_children", "write_children", "write_completion", "write_completions", "write_move", "write_moves", "write_start", "write_starts",
		},
		"decide whether a task halts": {"task_halts"},
		"decide between another attempt and failure": {
			"may_be_tried", "result_state", "staleness_reason", "step_has_attempts_left", "task_contexts",
		},
		"compute a backoff": {"backoff_seconds"},
	} {
		var found []string
		for _, r := range rules {
			if r.name == rule {
				found = all.matching(r.matches)
			}
		}
		require.Equal(t, want, found, rule)
	}
	for _, writer := range all.matching(rules[0].matches) {
		_, err := fs.Stat(tree, "functions/kernel/move/private/"+writer+".sql")
		require.NoError(t, err, "only the room kernel/move writes the states of steps")
	}
}
