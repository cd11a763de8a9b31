package plantest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFlaws_NamesWhatGrowsWithATable(t *testing.T) {
	t.Parallel()
	look := node{Type: "Index Scan", Relation: "step_queue", Index: "step_queue_pkey", IndexCond: "(task_uuid = u.task_uuid)", Cost: 8.3}
	tests := []struct {
		name  string
		root  node
		flaws []string
	}{
		{"a look by key", look, nil},
		{
			"a loop over looks by key",
			node{Type: "Nested Loop", Plans: []node{{Type: "Function Scan"}, look}},
			nil,
		},
		{
			"a sequential scan, of a partition too",
			node{Type: "Append", Plans: []node{{Type: "Seq Scan", Relation: "tasks_p20261101"}, {Type: "Seq Scan", Relation: "timers"}}},
			[]string{"sequential scan of tasks_p20261101", "sequential scan of timers"},
		},
		{
			"an index without a condition",
			node{Type: "Index Only Scan", Relation: "step_queue", Index: "step_queue_claim_idx"},
			[]string{"step_queue_claim_idx is read from end to end"},
		},
		{
			"the first of an index",
			node{Type: "Limit", Plans: []node{{Type: "Index Only Scan", Relation: "timers", Index: "timers_due_idx"}, look}},
			nil,
		},
		{
			"joins that read both sides",
			node{Type: "Hash Join", Plans: []node{look, {Type: "Merge Join", Plans: []node{look, look}}}},
			[]string{"hash join", "merge join"},
		},
		{
			"a hash join of sets in memory, which were looked up by key",
			node{Type: "Sort", Plans: []node{look, {Type: "Hash Join", Plans: []node{{Type: "Function Scan"}, {Type: "CTE Scan"}}}}},
			nil,
		},
		{
			"what is switched off",
			node{Type: "Sort", Cost: 1e10 + 8, Plans: []node{look}},
			[]string{"Sort is switched off, and was planned"},
		},
		{
			"the same as PostgreSQL 18 says it",
			node{Type: "Sort", Disabled: true, Plans: []node{look}},
			[]string{"Sort is switched off, and was planned"},
		},
		{
			"tables that do not grow with the work",
			node{Type: "Hash Join", Plans: []node{{Type: "Seq Scan", Relation: "task_states"}, {Type: "Seq Scan", Relation: "tasks_dlq"}}},
			nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.flaws, plan{Root: test.root}.flaws())
		})
	}
}
