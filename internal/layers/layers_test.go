package layers_test

import (
	"os"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/layers"
)

// ceiling is the number of calls that break the rule today. Lower it when a change removes such a call, and never
// raise it.
const ceiling = 1

func TestLayers_AreBrokenByNoMoreCallsThanToday(t *testing.T) {
	t.Parallel()
	graph := today(t)
	violations := graph.Violations()
	for _, v := range violations {
		t.Logf("%s: %s → %s", v.Kind, v.Caller, v.Callee)
	}
	require.Len(t, violations, ceiling, "calls that break the rule: mend a new one; if there are fewer, lower the ceiling")
}

// Without the calls through doors, no two folders call each other, directly or through other folders.
func TestFolders_AreInNoCircle(t *testing.T) {
	t.Parallel()
	graph := today(t)
	require.Empty(t, graph.Circles())

	graph["check_worker"].Calls = append(slices.Clone(graph["check_worker"].Calls), "advance_tasks")
	require.NotEmpty(t, graph.Circles(), "a planted call from kernel/access to kernel/move closes one")
}

func TestFolders_NameALayerOfEachFunction(t *testing.T) {
	t.Parallel()
	known := []string{"kernel", "doors", "features", "operate", "compat", "tasklib", "pgmq"}
	for name, object := range today(t) {
		if object.IsFunction {
			require.Contains(t, known, object.Layer(), name)
		}
	}
}

// The test plants a call of each forbidden kind, one at a time, and the rule finds it.
func TestLayers_FindAPlantedCallOfEachForbiddenKind(t *testing.T) {
	t.Parallel()
	graph := today(t)
	before := len(graph.Violations())
	for caller, rest := range map[string][2]string{
		"settle_children":    {"begin_waits", "kernel calls features"},
		"begin_waits":        {"insert_limits", "feature calls feature"},
		"expand_maps":        {"get_system_health_counts", "features calls operate"},
		"settle_task":        {"reset_task", "kernel calls operate"},
		"insert_steps":       {"get_ready_steps", "kernel calls compat"},
		"roll_up":            {"get_ready_steps", "operate calls compat"},
		"orchestrate":        {"tasklib.schedule_task", "compat calls tasklib"},
		"fire_timers":        {"tasklib.schedule_task", "kernel calls tasklib"},
		"due":                {"roll_up", "doors calls operate"},
		"moved":              {"orchestrate", "doors calls compat"},
		"fire_schedule":      {"orchestrate", "features calls compat"},
		"tasklib.stats":      {"setting", "tasklib calls kernel"},
		"tasklib.purge":      {"roll_up", "tasklib calls operate"},
		"apply_move":         {"pgmq.send", "kernel calls pgmq"},
		"publish_steps":      {"pgmq.send", "features calls pgmq"},
		"reset_task":         {"pgmq.send", "operate calls pgmq"},
		"tasklib.retry_task": {"pgmq.send", "tasklib calls pgmq"},
		"pgmq.send":          {"roll_up", "pgmq calls operate"},
	} {
		callee, kind := rest[0], rest[1]
		require.NotNil(t, graph[caller], caller)
		require.NotNil(t, graph[callee], callee)
		calls := graph[caller].Calls
		require.NotContains(t, calls, callee)
		graph[caller].Calls = append(slices.Clone(calls), callee)
		require.Contains(t, graph.Violations(), layers.Violation{Kind: kind, Caller: caller, Callee: callee})
		require.Len(t, graph.Violations(), before+1, "%s → %s", caller, callee)
		graph[caller].Calls = calls
	}
}

// writers lists, by folder, the tables of the kernel that other layers write. A change of such a table may need a change of
// these folders.
var writers = map[string][]string{
	"compat/orchestrator":    {"timers", "waiting_tasks"},
	"compat/readiness":       {"timers", "workflow_steps"},
	"features/branches":      {"named_tasks_named_steps", "timers"},
	"features/broadcasts":    {"timers"},
	"features/children":      {"timers", "workflow_steps"},
	"features/durable":       {"workflow_steps"},
	"features/limits":        {"step_queue"},
	"features/maps":          {"added_step_edges", "timers", "workflow_steps"},
	"features/patience":      {"timers"},
	"features/pauses":        {"step_queue", "timers", "workflow_steps"},
	"features/policies":      {"timers"},
	"features/publishing":    {"step_queue"},
	"features/attributes":    {"named_tasks_named_steps"},
	"features/runs":          {"timers"},
	"features/schedules":     {"timers"},
	"features/sealing":       {"named_tasks_named_steps", "workflow_steps"},
	"features/undo":          {"step_log", "step_queue", "task_log", "tasks", "timers", "waiting_tasks", "workflow_steps"},
	"features/waits":         {"timers"},
	"operate/administration": {"settings"},
	"operate/erase":          {"added_step_edges", "failed_timers", "step_log", "task_log", "tasks", "workflow_steps"},
	"operate/fork":           {"added_step_edges", "tasks", "timers", "workflow_steps"},
	"operate/operators":      {"step_queue", "tasks", "timers", "waiting_tasks", "workflow_steps"},
	"operate/partitions":     {"task_identities"},
	"operate/tokens":         {"role_bindings"},
}

func TestTables_OfTheKernelAreWrittenByTheListedFolders(t *testing.T) {
	t.Parallel()
	require.Equal(t, writers, kernelWriters(today(t)))

	graph := today(t)
	graph["begin_waits"].Writes = append(slices.Clone(graph["begin_waits"].Writes), "tasks")
	require.NotEqual(t, writers, kernelWriters(graph), "a planted write is found")
}

// kernelWriters returns the tables of the kernel that folders of other layers write.
func kernelWriters(graph layers.Graph) map[string][]string {
	found := map[string][]string{}
	for _, object := range graph {
		for _, table := range object.Writes {
			if object.IsFunction && object.Layer() != "kernel" && graph["table:"+table].Layer() == "kernel" && !slices.Contains(found[object.Folder], table) {
				found[object.Folder] = append(found[object.Folder], table)
			}
		}
	}
	for _, tables := range found {
		slices.Sort(tables)
	}
	return found
}

func TestCircles_FindsFoldersThatCallOneAnother(t *testing.T) {
	t.Parallel()
	function := func(name, calls string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("create or replace function tasker." + name + "()\nas $$ select tasker." + calls + "(); -- tasker.d()\n$$;\n")}
	}
	tree := fstest.MapFS{
		"functions/kernel/a/a.sql": function("a", "b"), "functions/kernel/b/private/b.sql": function("b", "c"), "functions/kernel/c/c.sql": function("c", "a"),
		"functions/operate/d/d.sql": function("d", "a"), "functions/operate/e/e.sql": function("e", "d"),
	}
	graph, err := layers.Read(tree)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"kernel/a", "kernel/b", "kernel/c"}}, graph.Circles())
	require.Equal(t, []string{"a", "b", "c"}, graph.Reached("a"))

	tree["functions/doors/x/c.sql"] = tree["functions/kernel/c/c.sql"]
	delete(tree, "functions/kernel/c/c.sql")
	cut, err := layers.Read(tree)
	require.NoError(t, err)
	require.Empty(t, cut.Circles(), "a circle through a door is none")
	require.Equal(t, []string{"a", "b"}, cut.Reached("a"), "a door ends the reach")
}

// read reads the tree once for all tests.
var read = sync.OnceValues(func() (layers.Graph, error) { return layers.Read(os.DirFS("../../db/schema")) })

// today returns the graph of the tree, to be changed at will.
func today(t *testing.T) layers.Graph {
	t.Helper()
	graph, err := read()
	require.NoError(t, err)
	own := layers.Graph{}
	for name, object := range graph {
		copied := *object
		own[name] = &copied
	}
	return own
}
