package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestApply_RegistersOnceAndShowsWhatDiffers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	first := file(t, "order.yaml", order)

	require.Equal(t, "+ shop/order@1.0.0 would be registered, new, 4 steps\n", must(t, pool, "apply", first, "--dry-run"))
	require.Equal(t, exitNotFound, tasker(t, pool, "template", "show", "shop/order").code, "a dry run leaves nothing")
	require.Equal(t, "+ shop/order@1.0.0 registered, new, 4 steps\n", must(t, pool, "apply", first))
	require.Equal(t, "= shop/order@1.0.0 is already registered\n", must(t, pool, "apply", first))

	second := file(t, "order.yaml", strings.NewReplacer("1.0.0", "1.1.0", "max_attempts: 5", "max_attempts: 7").Replace(order))
	require.Equal(t, strings.TrimPrefix(`
+ shop/order@1.1.0 registered, after 1.0.0
    namespace: shop
    name: order
  - version: 1.0.0
  + version: 1.1.0
    description: An order, from reservation to delivery
    identity_strategy: strict
    on_failure: continue
    …
        join: all
        retry:
          retryable: true
  -       max_attempts: 5
  +       max_attempts: 7
          backoff: exponential
        priority: 0
        initialization:
    …
`, "\n"), must(t, pool, "apply", second))
}

func TestApply_TakesDirectoriesAllOrNothing(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "deep"), 0o700))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("a.yaml", "namespace: shop\nname: a\nsteps: [{name: s}]\n---\nnamespace: shop\nname: b\nsteps: []\n")
	write("deep/c.yml", "namespace: shop\nname: c\nsteps: [{name: s}]\n")
	write("notes.txt", "no template\n")
	require.Equal(t, `+ shop/a@0.1.0 registered, new, 1 step
+ shop/b@0.1.0 registered, new, 0 steps
+ shop/c@0.1.0 registered, new, 1 step
`, must(t, pool, "apply", dir))

	write("a.yaml", "namespace: shop\nname: a\nsteps: [{name: other}]\n")
	write("d.yaml", "namespace: shop\nname: d\nsteps: [{name: s}]\n")
	r := tasker(t, pool, "apply", dir)
	require.Equal(t, exitConflict, r.code)
	require.Contains(t, r.out, "! template \"shop/a\" version \"0.1.0\" is registered with other content: step \"other\" is absent, not at position 1;")
	require.Contains(t, r.out, "+ shop/d@0.1.0 would be registered, new, 1 step\n")
	require.Contains(t, r.out, "= shop/c@0.1.0 is already registered\n")
	require.Equal(t, `tasker: 1 template registered with other content; nothing was applied
  hint: Register the new content under a new version.
`, r.err)
	require.Equal(t, exitNotFound, tasker(t, pool, "template", "show", "shop/d").code)
}

// Case: a file that names types is refused. The note stands after the transaction of apply has ended; --dry-run notes nothing.
func TestApply_NotesTheProgramsThatWereRefused(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	typed := func(types string) string {
		return file(t, "a.yaml", "{namespace: shop, name: a, steps: [{name: x}], types: {x: '"+types+"'}}\n---\n"+
			"{namespace: shop, name: b, steps: [{name: y}], types: {y: '"+types+"'}}\n---\n{namespace: shop, name: c, steps: []}\n")
	}
	refused := func() []gen.RefusedProgram {
		list, err := executor.New(pool).ListRefusedPrograms(t.Context(), []string{"shop"})
		require.NoError(t, err)
		return list
	}
	must(t, pool, "apply", typed("{n:int}"))
	require.Equal(t, exitConflict, tasker(t, pool, "apply", typed("string"), "--dry-run").code)
	require.Empty(t, refused())
	for range 2 {
		require.Equal(t, exitConflict, tasker(t, pool, "apply", typed("string")).code)
	}
	list := refused()
	require.Len(t, list, 2)
	for _, one := range list {
		step := map[string]string{"a": "x", "b": "y"}[one.Name]
		require.EqualValues(t, 2, one.Refusals)
		require.JSONEq(t, `[{"of": "`+step+`", "registered": "{n:int}", "named": "string"}]`, string(one.Differences))
	}
}

func TestApply_OfADraftNeedsNoNewVersion(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	path := file(t, "a.yaml", "namespace: shop\nname: a\nsteps: [{name: x}]\n")
	require.Equal(t, "+ shop/a@dev-1 would be registered, new, 1 step\n", must(t, pool, "apply", path, "--draft", "--dry-run"))
	require.Equal(t, "+ shop/a@dev-1 registered, new, 1 step\n", must(t, pool, "apply", path, "--draft"))
	require.Equal(t, "= shop/a@dev-1 is already registered\n", must(t, pool, "apply", path, "--draft"))
	require.NoError(t, os.WriteFile(path, []byte("namespace: shop\nname: a\nsteps: [{name: y}]\n"), 0o600))
	require.Contains(t, must(t, pool, "apply", path, "--draft"), "+ shop/a@dev-2 registered")
}

func TestApply_NamesEveryProblemWithItsPlace(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	bad := file(t, "bad.yaml", "nam: order\nsteps: a\n")
	worse := file(t, "worse.yaml", "namespace: Shop\nname: x\nsteps:\n  - name: a\n  - dependencies: [a]\n")

	r := tasker(t, pool, "apply", bad)
	require.Equal(t, exitInvalid, r.code)
	require.Empty(t, r.out)
	require.Contains(t, r.err, "tasker: 2 problems in the templates; nothing was applied\n  "+bad+":1: nam: a template has no such field")
	require.Contains(t, r.err, bad+":2: steps: must be a list\n")

	r = tasker(t, pool, "apply", worse)
	require.Equal(t, exitInvalid, r.code)
	require.Contains(t, r.err, worse+`:1: namespace: cannot be "Shop"`)
	require.Contains(t, r.err, worse+":5: steps[1].name: is missing")

	var said struct {
		Error problem `json:"error"`
	}
	r = tasker(t, pool, "apply", worse, "--json")
	require.NoError(t, json.Unmarshal([]byte(r.err), &said))
	require.Equal(t, exitInvalid, said.Error.Exit)
	require.Len(t, said.Error.Problems, 2)
}

func TestApply_RefusesPathsWithoutTemplates(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for path, want := range map[string]string{
		t.TempDir():               "there is no template in ",
		"/nowhere/order.yaml":     "/nowhere/order.yaml: no such file or directory",
		file(t, "empty.yaml", ""): "there is no template in it",
	} {
		r := tasker(t, pool, "apply", path)
		require.Equal(t, exitInvalid, r.code)
		require.Contains(t, r.err, want)
	}
}
