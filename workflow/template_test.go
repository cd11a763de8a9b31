package workflow_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/workflow"
)

type claim struct {
	Number int `json:"number"`
}

type assessment struct {
	Amount int `json:"amount"`
}

type rules struct {
	Region string `json:"region"`
	Limit  int    `json:"limit"`
}

type signed struct {
	Name string `json:"name"`
}

type label struct {
	Printed bool `json:"printed"`
}

// everything is testdata/everything.yaml.
func everything() *workflow.Workflow[claim] {
	two := int64(2)
	w := workflow.New[claim](
		"shop", "everything", "2.1", workflow.Description("All that a template can say."), workflow.ByKey, workflow.HaltOnFailure(), workflow.DrainOnUndo(),
		workflow.Lifecycle{WaitingForDependencies: 10 * time.Minute, WaitingForRetry: 20 * time.Minute, StepsInProcess: 30 * time.Minute},
		workflow.CheckInput(),
		workflow.StartOn(template.StartOn{
			Event: "claimed", Key: "eu", When: "$.number > 0", Identity: "$.number", Context: template.Inputs(map[string]any{"number": "$.number"}),
		}),
		workflow.Runs(template.Runs{Key: "$.number", Max: &two, Order: "priority", Further: "skip"}),
		workflow.Attributes(map[string]template.Attribute{"number": {Type: "number", Context: "$.number", Results: map[string]string{"assess": "$.number"}}}),
		workflow.CancelOn(template.CancelOn{Event: "withdrawn", Key: "eu", When: "$.number > 0", Identity: "$.number"}),
	)
	assess := workflow.After1(w, "assess", workflow.Inputs(w, rules{"eu", 1000}),
		func(context.Context, *workflow.Job[claim], rules) (assessment, error) { return assessment{}, nil },
		workflow.Description("Looks at it."), workflow.Retry{Attempts: 5, Backoff: time.Second / 2, Multiplier: 3, MaxBackoff: 5 * time.Minute}, workflow.Timeout(90*time.Second), workflow.StartWithin(10*time.Minute), workflow.Priority(-3), workflow.Limit{Name: "partner", Key: "$.region", Units: 3, WholeRun: true, Bound: "$.places", BoundMax: 9},
		workflow.Limit{Name: "office", Key: "$.region", Units: 2, Bound: "$.desks", BoundMax: 7})
	workflow.Compensate(assess, func(context.Context, *workflow.Job[claim], workflow.Undoing[assessment]) error { return nil })
	decide := func(context.Context, *workflow.Job[claim], assessment) (bool, error) { return true, nil }
	approve := workflow.After1(w, "approve", assess.When("$.amount < 1000"), decide, workflow.Retry{Attempts: 1})
	investigate := workflow.After1(w, "investigate", assess.When("$.amount >= 1000"), decide,
		workflow.Retry{Backoff: 7 * time.Second, Multiplier: 1})
	labelled := workflow.After1[claim, assessment, label](w, "label", assess, nil, workflow.HandledBy("python.label"))
	pay := workflow.After2(w, "pay", workflow.Optional(approve), workflow.Optional(investigate).And(labelled),
		func(context.Context, *workflow.Job[claim], workflow.Maybe[bool], workflow.Maybe[bool]) (int, error) {
			return 0, nil
		},
		workflow.JoinAny())
	archived := workflow.After1(w, "archive", workflow.Optional(pay).And(labelled.When("$.printed == true")),
		func(context.Context, *workflow.Job[claim], workflow.Maybe[int]) (struct{}, error) {
			return struct{}{}, nil
		},
		workflow.JoinSettled())
	signature := workflow.Await(w, "signature", workflow.Signal[signed]("signed"), workflow.Waiting{
		When: `$.name != ""`, Schema: json.RawMessage(`{"type": "object", "required": ["name"]}`),
		Or: []template.Await{
			{Until: "$.closes_at"}, {Event: "signed_elsewhere", Key: "$.region", When: `$.name != ""`, LookBack: template.Seconds(time.Hour)},
		},
		Timeout: time.Hour, Assignee: "finance",
	}, archived, workflow.Complete, workflow.Description("A person signs."))
	workflow.Pause(w, "rest", 90*time.Second, signature.When(`$.by == "signal"`))
	parts := workflow.Root(w, "parts", func(context.Context, *workflow.Job[claim]) ([]int, error) { return nil, nil })
	workflow.EachAllowing(w, "check", parts, 2,
		func(context.Context, *workflow.Job[claim], int) (bool, error) { return true, nil }, workflow.MaxParallel(10))
	inspection := workflow.New[assessment]("shop", "inspection", "1.0")
	seen := workflow.Root(inspection, "look", func(context.Context, *workflow.Job[assessment]) (bool, error) { return true, nil })
	workflow.Child(w, "inspect", inspection, seen, assess,
		workflow.Abandon(), workflow.Timeout(2*time.Hour), workflow.Skip)
	return w
}

// stored registers a template and returns it in normal form, as the database has it, and whether it was new.
func stored(t *testing.T, pool *pgxpool.Pool, made *template.Template) (normal string, isNew bool) {
	t.Helper()
	text, err := made.JSON()
	require.NoError(t, err)
	registered, err := executor.New(pool).RegisterTaskTemplate(t.Context(), text)
	require.NoError(t, err)
	require.NoError(t, pool.QueryRow(t.Context(),
		"select k.configuration::text from tasker.named_tasks as k where k.named_task_uuid = $1", registered.NamedTaskUUID).Scan(&normal))
	return normal, registered.Created
}

func fromFile(t *testing.T) *template.Template {
	t.Helper()
	file, err := os.Open("testdata/everything.yaml")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	templates, err := template.Load(file)
	require.NoError(t, err)
	return templates[0]
}

func TestTemplate_IsTheOneThatYAMLMakes(t *testing.T) {
	t.Parallel()
	inGo, err := everything().Template()
	require.NoError(t, err)
	for _, order := range [][2]*template.Template{{inGo, fromFile(t)}, {fromFile(t), inGo}} {
		pool := pgtest.New(t)
		first, isNew := stored(t, pool, order[0])
		require.True(t, isNew)
		second, isNew := stored(t, pool, order[1])
		require.False(t, isNew, "the second order stores the same template")
		require.Equal(t, first, second)
	}
}

func TestYAML_MakesTheSameTemplate(t *testing.T) {
	t.Parallel()
	text, err := everything().YAML()
	require.NoError(t, err)
	name := t.TempDir() + "/everything.yaml"
	require.NoError(t, os.WriteFile(name, text, 0o600))
	templates, err := template.LoadFile(name)
	require.NoError(t, err)

	pool := pgtest.New(t)
	require.NoError(t, everything().Register(t.Context(), pool))
	_, isNew := stored(t, pool, templates[0])
	require.False(t, isNew)
}

// If a template learns to say something more, this package must too.
func TestTemplate_SaysEverythingThatATemplateCanSay(t *testing.T) {
	t.Parallel()
	made, err := everything().Template()
	require.NoError(t, err)
	text, err := made.JSON()
	require.NoError(t, err)
	var value map[string]any
	require.NoError(t, json.Unmarshal(text, &value))

	said := map[string]bool{}
	say := func(object string, v any) {
		for name := range v.(map[string]any) {
			said[object+"."+name] = true
		}
	}
	say("template", value)
	say("lifecycle", value["lifecycle"])
	say("start_on", value["start_on"].([]any)[0])
	say("cancel_on", value["cancel_on"].([]any)[0])
	say("runs", value["runs"])
	for _, step := range value["steps"].([]any) {
		say("step", step)
		fields := step.(map[string]any)
		if fields["retry"] != nil {
			say("retry", fields["retry"])
		}
		if awaits, is := fields["await"].([]any); is {
			for _, a := range awaits {
				say("await", a)
			}
		}
		for _, object := range []string{"task", "for_each"} {
			if fields[object] != nil {
				say(object, fields[object])
			}
		}
		if limits, is := fields["limits"].([]any); is {
			for _, l := range limits {
				say("limits", l)
			}
		}
		if dependencies, is := fields["dependencies"].([]any); is {
			for _, d := range dependencies {
				say("dependency", d)
			}
		}
	}
	said["template.types"] = true     // by Register: no part of the content
	said["dependency.on"] = true      // by OnFailure: failure_test.go
	said["step.sql"] = true           // by SQL: the function has to exist where the template is registered
	said["template.encrypted"] = true // by Encrypted: with most other parts it is refused; internal/tests/sealtest
	said["runs.sequence"] = true      // not beside max: 2
	rows, err := pgtest.New(t).Query(t.Context(), "select f.object || '.' || f.field from tasker.template_fields as f")
	require.NoError(t, err)
	defer rows.Close()
	count := 0
	for rows.Next() {
		var field string
		require.NoError(t, rows.Scan(&field))
		require.True(t, said[field], "nothing says %s", field)
		count++
	}
	require.NoError(t, rows.Err())
	require.Len(t, said, count)
}

func TestRegister_RefusesAVersionWithOtherContent(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.NoError(t, everything().Register(t.Context(), pool))
	require.NoError(t, everything().Register(t.Context(), pool), "a second registration changes nothing")
	other := workflow.New[claim]("shop", "everything", "2.1")
	workflow.Root(other, "assess", func(context.Context, *workflow.Job[claim]) (int, error) { return 0, nil })
	err := other.Register(t.Context(), pool)
	require.ErrorIs(t, err, executor.ErrConflict)
	require.ErrorContains(t, err, "workflow shop/everything: ")
}

// edited is a workflow under development.
func edited(
	attempts int, result string, undo ...func(context.Context, *workflow.Job[claim], workflow.Undoing[string]) error,
) *workflow.Workflow[claim] {
	w := workflow.New[claim]("shop", "draft", workflow.FromContent)
	only := workflow.Root(w, "only", func(context.Context, *workflow.Job[claim]) (string, error) { return result, nil }, workflow.Retry{Attempts: attempts})
	for _, f := range undo {
		workflow.Compensate(only, f)
	}
	return w
}

func TestVersion_OfADraftComesFromItsContent(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.Regexp(t, "^dev-[0-9a-f]{12}$", edited(1, "a").Version())
	require.Equal(t, edited(1, "a").Version(), edited(1, "b").Version(), "code does not change the version")
	require.NotEqual(t, edited(1, "a").Version(), edited(2, "a").Version())
	undone := edited(1, "a", func(context.Context, *workflow.Job[claim], workflow.Undoing[string]) error { return nil })
	require.NotEqual(t, edited(1, "a").Version(), undone.Version(), "a compensation is content")
	require.NoError(t, undone.Register(t.Context(), pool))
	for attempts := range 3 {
		require.NoError(t, edited(attempts+1, "a").Register(t.Context(), pool), "each content can be registered")
	}
	task, err := edited(1, "a").Start(t.Context(), pool, claim{})
	require.NoError(t, err)
	detail, err := executor.New(pool).GetTask(t.Context(), task.UUID)
	require.NoError(t, err)
	require.Equal(t, edited(1, "a").Version(), detail.Version, "a task is of its program's version, not of the newest")
}
