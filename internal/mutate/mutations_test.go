package mutate_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/mutate"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

const function = `create or replace function tasker.f(p_limit integer)
  returns integer
as $$
begin
  -- where a = b is no code
  select s.step_no
    from tasker.workflow_steps as s
   where s.state = 'pending'
     and s.attempts < 3
   order by s.step_no
   limit p_limit
     for update skip locked;
  raise exception using message = 'a = b';
end;
$$;

comment on function tasker.f(integer) is 'true = false';
`

func TestOf_ChangesOneThingAtATime(t *testing.T) {
	t.Parallel()
	var have []string
	for _, m := range mutate.Of(function) {
		have = append(have, m.String())
		require.NotEqual(t, function, m.Text)
	}
	require.ElementsMatch(t, []string{
		"line 8, comparison: where s.state = 'pending'  ->  where s.state <> 'pending'",
		"line 8, state: where s.state = 'pending'  ->  where s.state = 'enqueued'",
		"line 9, comparison: and s.attempts < 3  ->  and s.attempts <= 3",
		"line 9, comparison: and s.attempts < 3  ->  and s.attempts > 3",
		"line 9, connective: and s.attempts < 3  ->  or s.attempts < 3",
		"line 9, condition dropped: and s.attempts < 3  ->  ",
		"line 10, order: order by s.step_no  ->  order by s.step_no desc",
		"line 11, boundary: limit p_limit  ->  limit p_limit + 1",
		"line 12, lock: for update skip locked;  ->  ;",
		"line 12, lock: for update skip locked;  ->  for update;",
	}, have)
}

func TestReach_FindsTheTestsOfCallersNearestFirst(t *testing.T) {
	t.Parallel()
	tree := mutate.Tree{
		"inner":  {Path: "functions/kernel/result/private/inner.sql", Text: "select 1"},
		"middle": {Path: "functions/kernel/result/private/middle.sql", Text: "perform tasker.inner(1);"},
		"outer":  {Path: "functions/kernel/claim/outer.sql", Text: "select tasker.middle( 1 )"},
		"other":  {Path: "functions/kernel/claim/other.sql", Text: "select 2"},
	}
	require.Equal(t, []string{"kernel/result/inner", "kernel/result/*", "kernel/result/middle", "kernel/claim/outer", "kernel/claim/*"}, tree.Reach("inner"))
}

func TestWith_NotesTheNewBody(t *testing.T) {
	t.Parallel()
	tree, err := mutate.ReadTree(root(t))
	require.NoError(t, err)
	changed := strings.Replace(tree["claim_steps"].Text, "begin", "begin --", 1)
	require.NotEqual(t, tree["claim_steps"].Text, changed)
	require.Equal(t, changed+"\nselect from tasker.note_objects();\n", tree.With(changed))
}

func TestEquivalent_AreChangesOfTheSources(t *testing.T) {
	t.Parallel()
	tree, err := mutate.ReadTree(root(t))
	require.NoError(t, err)
	reasons, err := mutate.ReadEquivalent(root(t))
	require.NoError(t, err)
	require.NotEmpty(t, reasons)
	for key := range maps.Clone(reasons) {
		name, _, _ := strings.Cut(key, ",")
		for _, m := range mutate.Of(tree[name].Text) {
			delete(reasons, m.Key(name))
		}
	}
	require.Empty(t, reasons, "not a change of the sources any more: delete it from internal/mutate/equivalent.txt")
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := checkout.Root()
	require.NoError(t, err)
	return dir
}
