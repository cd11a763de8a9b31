package template_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
)

func tree(files map[string]string) fstest.MapFS {
	fs := fstest.MapFS{}
	for name, text := range files {
		fs[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fs
}

func TestRegister_RegistersEveryFile(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	files := tree(map[string]string{
		"a.yaml":       "{namespace: shop, name: a, steps: [{name: x}]}",
		"deep/b.yml":   "{namespace: shop, name: b, steps: [{name: x}]}\n---\n{namespace: shop, name: c, steps: [{name: x}]}",
		"deep/read.me": "no template",
	})
	for range 2 {
		templates, err := template.Register(t.Context(), pool, files)
		require.NoError(t, err)
		require.Len(t, templates, 3)
		require.Equal(t, []string{"a", "b", "c"}, []string{templates[0].Name, templates[1].Name, templates[2].Name})
	}
	registered, err := executor.New(pool).ListTaskTemplates(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, registered, 3)

	files["a.yaml"].Data = []byte("{namespace: shop, name: a, steps: [{name: y}]}")
	_, err = template.Register(t.Context(), pool, files)
	require.ErrorIs(t, err, executor.ErrConflict)
	require.ErrorContains(t, err, "a.yaml:1: ")
}

func TestRegister_NamesEverythingThatIsWrongAndRegistersNothing(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := template.Register(t.Context(), pool, tree(map[string]string{
		"a.yaml": "namespace: shop\nname: a\nsteps:\n  - name: x\n    dependencies: [y]\n",
		"b.yaml": "{namespace: shop, name: b, steps: [{name: x}]}",
		"c.yaml": "namespace: shop\nname: c\nsteps:\n  - name: x\n    join: most\n",
	}))
	require.ErrorContains(t, err, `a.yaml:5: steps[0].dependencies[0]: there is no step "y"`)
	require.ErrorContains(t, err, "c.yaml:5: steps[0].join")
	var one *template.Error
	require.ErrorAs(t, err, &one)

	_, err = template.Register(t.Context(), pool, tree(map[string]string{"a.yaml": "steps: 3", "b.yaml": "{oops: 1}"}))
	require.ErrorContains(t, err, "a.yaml:1: steps")
	require.ErrorContains(t, err, "b.yaml:1: oops")
	_, err = template.Register(t.Context(), pool, tree(nil))
	require.EqualError(t, err, "template: there is no *.yaml or *.yml file")

	registered, err := executor.New(pool).ListTaskTemplates(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, registered)
}

func TestRegister_IsPartOfTheCallersTransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	files := tree(map[string]string{"a.yaml": "{namespace: shop, name: a, steps: [{name: x}]}"})
	_, err = template.Register(t.Context(), tx, files)
	require.NoError(t, err)
	files["a.yaml"].Data = []byte("{namespace: shop, name: a, steps: [{name: y}]}")
	_, err = template.Register(t.Context(), tx, files)
	require.ErrorIs(t, err, executor.ErrConflict)
	registered, err := executor.New(tx).ListTaskTemplates(t.Context(), "")
	require.NoError(t, err, "the transaction goes on")
	require.Len(t, registered, 1)
	require.NoError(t, tx.Rollback(t.Context()))
}

func TestAddSteps_TakesSteps(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := template.Register(t.Context(), pool, tree(map[string]string{"a.yaml": "{namespace: shop, name: a, steps: [{name: list}]}"}))
	require.NoError(t, err)
	task, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "a"})
	require.NoError(t, err)
	steps := []template.Step{
		{Name: "one", Handler: "price", Dependencies: template.After("list"), Initialization: template.Inputs(map[string]int{"n": 1})},
		{Name: "sum", Dependencies: template.After("one", "list"), Join: "settled"},
	}
	for _, created := range []bool{true, false} {
		added, err := template.AddSteps(t.Context(), pool, task.TaskUUID, steps...)
		require.NoError(t, err)
		require.Len(t, added, 2)
		require.Equal(t, created, added[1].Created)
	}
	stored, err := executor.New(pool).ListSteps(t.Context(), task.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, "price", stored[1].Handler)
	require.JSONEq(t, `{"n": 1}`, string(stored[1].Inputs))
	_, err = template.AddSteps(t.Context(), pool, task.TaskUUID, template.Step{Name: "x", Dependencies: template.After("nowhere")})
	require.ErrorIs(t, err, executor.ErrInvalid)
	require.Panics(t, func() { template.Inputs(make(chan int)) })
}

// Templates that name types are noted like programs when they are refused, after the transaction that registers all has ended.
func TestRegister_NotesTheProgramThatWasRefused(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register := func(types string) error {
		_, err := template.Register(t.Context(), pool, tree(map[string]string{
			"a.yaml": "{namespace: shop, name: a, steps: [{name: x}]}",
			"b.yaml": "{namespace: shop, name: b, steps: [{name: x}], types: {x: '" + types + "'}}",
		}))
		return err
	}
	require.NoError(t, register("{n:int}"))
	require.ErrorIs(t, register("string"), executor.ErrConflict)
	refused, err := executor.New(pool).ListRefusedPrograms(t.Context(), []string{"shop"})
	require.NoError(t, err)
	require.Len(t, refused, 1)
	require.Equal(t, "b", refused[0].Name)
	require.JSONEq(t, `[{"of": "x", "registered": "{n:int}", "named": "string"}]`, string(refused[0].Differences))
}
