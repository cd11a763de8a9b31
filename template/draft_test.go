package template_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
)

// draft registers a template with this step as a draft and returns the version of a new task.
func draft(t *testing.T, pool *pgxpool.Pool, step string) string {
	t.Helper()
	templates, err := template.LoadFS(tree(map[string]string{
		"a.yaml": "{namespace: shop, name: a, version: 3.1.0, steps: [{name: " + step + "}]}",
	}))
	require.NoError(t, err)
	require.NoError(t, template.Drafts(t.Context(), pool, templates...))
	require.NoError(t, template.RegisterAll(t.Context(), pool, templates...))
	return versionOfANewTask(t.Context(), t, pool)
}

func versionOfANewTask(ctx context.Context, t *testing.T, pool *pgxpool.Pool) string {
	t.Helper()
	e := executor.New(pool)
	task, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "a"})
	require.NoError(t, err)
	detail, err := e.GetTask(ctx, task.TaskUUID)
	require.NoError(t, err)
	return detail.Version
}

func TestDrafts_NeedNoNewVersionForAnEdit(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.Equal(t, "dev-1", draft(t, pool, "x"))
	require.Equal(t, "dev-1", draft(t, pool, "x"), "nothing changed")
	require.Equal(t, "dev-2", draft(t, pool, "y"))
	require.Equal(t, "dev-3", draft(t, pool, "x"), "the earlier text is the newest version again")

	_, err := template.Register(t.Context(), pool, tree(map[string]string{
		"a.yaml": "{namespace: shop, name: a, version: 4.0.0, steps: [{name: x}]}",
	}))
	require.NoError(t, err)
	require.Equal(t, "4.0.0", versionOfANewTask(t.Context(), t, pool))
	require.Equal(t, "dev-4", draft(t, pool, "x"), "a draft is the newest version")
}

func TestDrafts_NumbersOfRetiredDraftsAreTaken(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.Equal(t, "dev-1", draft(t, pool, "x"))
	require.Equal(t, "dev-2", draft(t, pool, "y"))
	retire(t, pool, "dev-2")
	require.Equal(t, "dev-1", draft(t, pool, "x"), "the newest draft that is not retired")
	require.Equal(t, "dev-3", draft(t, pool, "y"))
	retire(t, pool, "dev-3")
	retire(t, pool, "dev-1")
	require.Equal(t, "dev-4", draft(t, pool, "y"))
}

func TestDrafts_DigestsAreNoNumbers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := template.Register(t.Context(), pool, tree(map[string]string{ // as workflow.FromContent may create it
		"a.yaml": "{namespace: shop, name: a, version: dev-012345678901, steps: [{name: x}]}",
	}))
	require.NoError(t, err)
	require.Equal(t, "dev-1", draft(t, pool, "x"))
}

func retire(t *testing.T, pool *pgxpool.Pool, version string) {
	t.Helper()
	retired, err := executor.New(pool).RetireTaskTemplate(t.Context(), "shop", "a", version)
	require.NoError(t, err)
	require.True(t, retired)
}

func TestDrafts_LeaveWhatIsWrongToRegister(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.Equal(t, "dev-1", draft(t, pool, "x"))
	templates, err := template.LoadFS(tree(map[string]string{"a.yaml": "namespace: shop\nname: a\nsteps:\n  - {name: x, join: most}\n"}))
	require.NoError(t, err)
	require.NoError(t, template.Drafts(t.Context(), pool, templates...))
	require.ErrorContains(t, template.RegisterAll(t.Context(), pool, templates...), "a.yaml:4: steps[0].join")
}
