package workflow_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workflow"
)

func one(context.Context, *workflow.Job[claim]) (int, error) { return 1, nil }

func next(_ context.Context, _ *workflow.Job[claim], n int) (int, error) { return n + 1, nil }

// deaf has a part that cannot be JSON.
type deaf struct {
	Each []struct {
		Done   func()
		hidden chan int // JSON does not see it
	}
}

type priced struct {
	Amount int    `json:"amount"`
	Note   string `json:"note,omitempty"`
}

// These programs compile. Registration refuses them before it asks the database, and there is no database.
func TestRegister_RefusesWhatTheCompilerCannotSee(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		make func(w *workflow.Workflow[claim])
		want []string
	}{
		{"a step of another workflow with the same context", func(w *workflow.Workflow[claim]) {
			other := workflow.New[claim]("shop", "refund", "1")
			workflow.After1(w, "b", workflow.Root(other, "a", one), next)
		}, []string{`step "b" depends on "a" of shop/refund: the steps before it must be of its own workflow`}},
		{"one that is only waited for", func(w *workflow.Workflow[claim]) {
			other := workflow.New[claim]("shop", "refund", "1")
			workflow.After1(w, "b", workflow.Root(w, "a", one).And(workflow.Root(other, "x", one)), next)
		}, []string{`step "b" depends on "x" of shop/refund: the steps before it must be of its own workflow`}},
		{"inputs of another workflow", func(w *workflow.Workflow[claim]) {
			workflow.After1[claim, rules, int](w, "b", workflow.Inputs(workflow.New[claim]("shop", "refund", "1"), rules{}), nil, workflow.HandledBy("h"))
		}, []string{`step "b" has inputs of workflow shop/refund`}},
		{"a name twice", func(w *workflow.Workflow[claim]) {
			workflow.Root(w, "a", one)
			workflow.Root(w, "a", one)
		}, []string{`two steps are named "a"`}},
		{"a condition on a field that the result never has", func(w *workflow.Workflow[claim]) {
			a := workflow.Root(w, "a", func(context.Context, *workflow.Job[claim]) (priced, error) { return priced{}, nil })
			n := workflow.Root(w, "n", one)
			workflow.After1(w, "b", a.When("$.amont > 1"), func(context.Context, *workflow.Job[claim], priced) (int, error) { return 1, nil })
			workflow.Do(w, "c", workflow.All(n.When("$.cents > 1")), func(context.Context, *workflow.Job[claim]) error { return nil })
			workflow.Do(w, "d", a.When("$.amount > 1 && exists($.note)"), func(context.Context, *workflow.Job[claim]) error { return nil })
			foreign := workflow.Root[claim, priced](w, "e", nil, workflow.HandledBy("h"))
			workflow.Do(w, "f", foreign.When("$.more > 1"), func(context.Context, *workflow.Job[claim]) error { return nil })
		}, []string{
			`step "b": its condition "$.amont > 1" reads "amont", which the result of "a" never has; workflow_test.priced has amount, note; did you mean amount?`,
			`step "c": its condition "$.cents > 1" reads "cents" of the result of "n", which has no fields: it is int`,
		}},
		{"a result that cannot be JSON", func(w *workflow.Workflow[claim]) {
			workflow.Root(w, "a", func(context.Context, *workflow.Job[claim]) (chan int, error) { return nil, nil })
			workflow.Root(w, "b", func(context.Context, *workflow.Job[claim]) (deaf, error) { return deaf{}, nil })
			workflow.Root(w, "c", one)
			workflow.Each(w, "d", workflow.Root[claim, []int](w, "e", nil, workflow.HandledBy("h")),
				func(context.Context, *workflow.Job[claim], int) (complex128, error) { return 0, nil })
		}, []string{
			`step "a" has a result that cannot be JSON: chan int`, `step "b" has a result that cannot be JSON: Each.Done: func()`,
			`step "d" has a result that cannot be JSON: complex128`,
		}},
		{"no steps", func(*workflow.Workflow[claim]) {}, []string{"it has no steps: add them before it is used"}},
		{"a step that was never made", func(w *workflow.Workflow[claim]) {
			var never workflow.Step[claim, int]
			workflow.After1(w, "b", never, next)
			workflow.After1(w, "c", workflow.Root(w, "a", one).And(never), next)
		}, []string{
			`step "b" depends on a step that is not made yet`, `step "c": it waits for a step that is not made yet`,
		}},
		{"a result that may be missing", func(w *workflow.Workflow[claim]) {
			a := workflow.Root(w, "a", one)
			workflow.After1(w, "b", a, next, workflow.JoinAny())
			workflow.After1[claim, []int, int](w, "c", workflow.All(a), nil, workflow.HandledBy("h"), workflow.JoinSettled())
		}, []string{
			`step "b" may run without a result of "a", since it joins any: ask for workflow.Optional of it`,
			`step "c" may run without a result of "a", since it joins settled: ask for workflow.Optional of it`,
		}},
		{"two conditions", func(w *workflow.Workflow[claim]) {
			a := workflow.Root(w, "a", one)
			workflow.After1(w, "b", a.When("$ > 1").When("$ > 2"), next)
			workflow.After1(w, "c", a.When("$ > 1").And(a), next)
		}, []string{
			`step "b": "a" has two conditions, "$ > 1" and "$ > 2"`,
			`step "c" depends on "a" with two conditions, "$ > 1" and ""`,
		}},
		{"nothing that does it", func(w *workflow.Workflow[claim]) {
			workflow.Root[claim, int](w, "a", nil)
		}, []string{`step "a" has no function: give it one, or name with HandledBy the handler of the program that does it`}},
		{"a name that could be a version's", func(w *workflow.Workflow[claim]) {
			workflow.Root(w, "0.a", one)
		}, []string{`step "0.a" has a dot in its name, where a version's handler could be taken for another's: rename it, or name its handler with HandledBy`}},
		{"inputs that are no object, and twice", func(w *workflow.Workflow[claim]) {
			in := workflow.Inputs(w, rules{})
			workflow.After1[claim, int, int](w, "a", workflow.Inputs(w, 3), next)
			workflow.After2[claim, rules, rules, int](w, "b", in, in, nil, workflow.HandledBy("h"))
			workflow.After1[claim, []rules, int](w, "c", workflow.All(in), nil, workflow.HandledBy("h"))
			workflow.After1(w, "d", workflow.Root(w, "e", one).And(in), next)
		}, []string{
			`step "a": its inputs, int, are not a JSON object`, `step "b" has inputs twice`, `step "c": inputs cannot be one of All`,
			`step "d": inputs are nothing to wait for`,
		}},
		{"all of nothing", func(w *workflow.Workflow[claim]) {
			workflow.After1[claim, []int, int](w, "a", workflow.All[claim, int](), nil, workflow.HandledBy("h"))
		}, []string{`step "a": All has no steps`}},
		{"half a second", func(w *workflow.Workflow[claim]) {
			workflow.Root(w, "a", one, workflow.Timeout(time.Second/2), workflow.Retry{MaxBackoff: 1500 * time.Millisecond})
		}, []string{
			`Timeout of step "a", 500ms, is not a whole number of seconds`, `MaxBackoff of step "a", 1.5s, is not a whole number of seconds`,
		}},
		{"options that are about something else", func(w *workflow.Workflow[claim]) {
			a := workflow.Root(w, "a", one, workflow.MaxParallel(3))
			workflow.Root(w, "b", one, workflow.Skip)
			workflow.Root(w, "c", one, workflow.Abandon())
			workflow.Await(w, "d", workflow.Signal[bool]("s"), workflow.Waiting{}, a, workflow.Complete)
			workflow.Await(w, "e", workflow.Signal[bool]("s"), workflow.Waiting{}, a, workflow.Retry{Attempts: 3})
			workflow.Await(w, "f", workflow.Signal[bool]("s"), workflow.Waiting{}, a, workflow.Timeout(time.Hour))
		}, []string{
			`step "a" has MaxParallel, which is for Each`,
			`step "b" does not wait: "skip" is for Await and Child`,
			`step "c" has Abandon, which is for Child`,
			`step "d" has no timeout that "complete" could be about`,
			`step "e" waits: there is nothing to try again`,
			`step "f" waits: its timeout stands in Waiting`,
		}},
		{"numbers below 0", func(w *workflow.Workflow[claim]) {
			workflow.Root(w, "a", one, workflow.Retry{Attempts: -1})
			workflow.Root(w, "b", one, workflow.Retry{Backoff: -time.Second})
			workflow.Root(w, "c", one, workflow.Timeout(-time.Second))
			workflow.Await(w, "d", workflow.Signal[bool]("s"), workflow.Waiting{Timeout: -time.Second}, nil)
			workflow.Pause(w, "e", -time.Second, nil)
		}, []string{
			`step "a": Retry.Attempts is below 0`, `step "b": Retry.Backoff is below 0`, `step "c": its timeout, -1s, is not above 0`,
			`step "d": its timeout, -1s, is below 0`, `step "e" pauses for -1s: a pause is above 0`,
		}},
		{"a limit without a name", func(w *workflow.Workflow[claim]) {
			workflow.Root(w, "a", one, workflow.Limit{Key: "$.customer"})
		}, []string{`step "a": its Limit has no Name`}},
		{"elements for a function, without a path, and of another workflow", func(w *workflow.Workflow[claim]) {
			other := workflow.New[claim]("shop", "refund", "1")
			workflow.Do1(w, "a", workflow.Elements[int](w, "$.lines"),
				func(context.Context, *workflow.Job[claim], []int) error { return nil })
			workflow.Each(w, "b", workflow.Elements[int](w, ""), next)
			workflow.Each(w, "c", workflow.Elements[int](other, "$.lines"), next)
		}, []string{
			`step "a": Elements are for Each; a function has them in job.Input`,
			`step "b": Elements have no path, such as $.lines`,
			`step "c" has elements of workflow shop/refund`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := workflow.New[claim]("shop", "order", "1")
			test.make(w)
			want := "workflow shop/order: " + strings.Join(test.want, "\nworkflow shop/order: ")
			require.EqualError(t, w.Register(t.Context(), nil), want)
			_, err := w.YAML()
			require.EqualError(t, err, want)
			does, err := worker.New(nil, worker.Config{})
			require.NoError(t, err)
			require.PanicsWithValue(t, want, func() { w.Handle(does) })
		})
	}
	w := workflow.New[claim]("shop", "order", "1", workflow.Lifecycle{StepsInProcess: time.Second})
	require.EqualError(t, w.Register(t.Context(), nil),
		"workflow shop/order: the lifecycle's StepsInProcess, 1s, is not a whole number of minutes")
}

func TestRegister_RefusesAContextWhoseJSONIsNoObjectAndANilPool(t *testing.T) {
	t.Parallel()
	list := workflow.New[[]string]("shop", "list", "1")
	workflow.Do(list, "a", nil, func(context.Context, *workflow.Job[[]string]) error { return nil })
	require.EqualError(t, list.Register(t.Context(), nil),
		"workflow shop/list: the context is a []string, whose JSON is no object: use a struct")

	w := workflow.New[claim]("shop", "order", "1")
	workflow.Root(w, "a", one)
	var pool *pgxpool.Pool
	require.ErrorContains(t, w.Register(t.Context(), pool), "the database is nil")
	_, err := w.Start(t.Context(), pool, claim{})
	require.ErrorContains(t, err, "the database is nil")
}

func TestRoot_AfterTheWorkflowWasUsedPanics(t *testing.T) {
	t.Parallel()
	w := workflow.New[claim]("shop", "order", "1")
	require.Equal(t, "1", w.Version())
	require.PanicsWithValue(t, `workflow shop/order: step "late" was added after the workflow was used`,
		func() { workflow.Root(w, "late", one) })
}

// Case: a build whose step "a" has another type of result registers the version of the build before.
func TestRegister_RefusesOtherTypesUnderOneVersion(t *testing.T) {
	t.Parallel()
	type grown struct {
		N    int    `json:"n"`
		Note string `json:"note,omitempty"`
	}
	type before struct {
		N int `json:"n"`
	}
	tx := begin(t, pgtest.New(t))
	register := func(w interface {
		Register(ctx context.Context, db executor.DBTX) error
	},
	) error {
		return w.Register(t.Context(), tx)
	}
	require.NoError(t, register(typed[claim](before{})))
	require.NoError(t, register(typed[claim](before{})), "again and again")
	require.NoError(t, register(typed[claim](grown{})), "a field that may be left out")
	_, err := tx.Exec(t.Context(), "savepoint a")
	require.NoError(t, err)
	err = register(typed[claim]("text"))
	require.ErrorIs(t, err, executor.ErrConflict)
	require.ErrorContains(t, err, `the result of "a" is {n:integer}, not string`)
	_, err = tx.Exec(t.Context(), "rollback to savepoint a")
	require.NoError(t, err)
	err = register(typed[before](before{}))
	require.ErrorIs(t, err, executor.ErrConflict)
	require.ErrorContains(t, err, `the context is `)
}

// Case: a second program is refused, and its database names both programs afterwards.
func TestRegister_NotesTheProgramThatWasRefused(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.NoError(t, typed[claim](1).Register(t.Context(), pool))
	e := executor.New(pool)
	for range 2 {
		require.ErrorIs(t, typed[claim]("text").Register(t.Context(), pool), executor.ErrConflict)
	}
	refused, err := e.ListRefusedPrograms(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, refused, 1)
	got := refused[0]
	require.Equal(t, "shop/typed@1", got.Namespace+"/"+got.Name+"@"+got.Version)
	require.Equal(t, []string{"shop.typed:1.a"}, got.Handlers)
	require.EqualValues(t, 2, got.Refusals)
	require.NotEqual(t, *got.RegisteredTypes, got.RefusedTypes)
	require.JSONEq(t, `[{"of": "a", "registered": "integer", "named": "string"}]`, string(got.Differences))

	// In a transaction, which the refusal has ended, nothing is noted, and the error is the refusal's.
	tx := begin(t, pool)
	err = typed[claim](true).Register(t.Context(), tx)
	require.ErrorContains(t, err, `the result of "a" is integer, not boolean`)
	require.NoError(t, tx.Rollback(t.Context()))
	refused, err = e.ListRefusedPrograms(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, refused, 1)
}

func typed[C, R any](R) *workflow.Workflow[C] {
	w := workflow.New[C]("shop", "typed", "1")
	workflow.Root(w, "a", func(context.Context, *workflow.Job[C]) (r R, err error) { return r, nil })
	return w
}

func TestHandle_RunRefusesAWorkerOfOtherNamespaces(t *testing.T) {
	t.Parallel()
	w := workflow.New[struct{}]("shipping", "order", workflow.FromContent, workflow.AlwaysNew)
	workflow.Root(w, "a", func(context.Context, *workflow.Job[struct{}]) (int, error) { return 0, nil })
	for _, namespaces := range [][]string{{"shiping"}, {"bank", "shop"}} {
		to, err := worker.New(nil, worker.Config{Namespaces: namespaces})
		require.NoError(t, err)
		w.Handle(to)
		err = to.Run(t.Context())
		require.ErrorContains(t, err, `the worker takes no steps of namespace "shipping": Config.Namespaces has `+strings.Join(namespaces, ", "))
		require.Equal(t, namespaces[0] == "shiping", strings.Contains(err.Error(), `did you mean "shipping"`), err)
	}
	of, err := worker.New(nil, worker.Config{Namespaces: []string{"bank", "shipping"}})
	require.NoError(t, err)
	w.Handle(of)
	_, err = inner.Of(of).Do(t.Context(), nil, gen.ClaimedStep{Handler: "unknown"})
	require.ErrorContains(t, err, "no such handler")
}

func TestWorkflow_SaysThatTheDatabaseIsNil(t *testing.T) {
	t.Parallel()
	w := workflow.New[claim]("shop", "claim", "1")
	workflow.Root(w, "a", one)
	const want = "workflow shop/claim: the database is nil: pass a pool, a connection or a transaction"
	require.EqualError(t, w.Register(t.Context(), nil), want)
	_, err := w.Start(t.Context(), nil, claim{})
	require.EqualError(t, err, want)
}
