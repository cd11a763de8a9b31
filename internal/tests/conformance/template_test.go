package conformance

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
)

func TestPython_MakesTheTemplateOfYAML(t *testing.T) {
	t.Parallel()
	makesTheTemplateOfYAML(t, python(t), "-c", "import json; from tests.test_branches import branches; print(json.dumps(branches.template()))")
}

func TestTypeScript_MakesTheTemplateOfYAML(t *testing.T) {
	t.Parallel()
	makesTheTemplateOfYAML(t, typescript(t), "--input-type=module", "-e",
		"import { branches } from './build/test/branches.js'; console.log(JSON.stringify(branches.template()))")
}

// makesTheTemplateOfYAML registers the template of testdata/branches.yaml, and then the client's template under the same version. The
// database would refuse another content.
func makesTheTemplateOfYAML(t *testing.T, w Worker, arguments ...string) {
	t.Helper()
	pool := pgtest.New(t)
	templates, err := template.LoadFile("testdata/branches.yaml")
	require.NoError(t, err)
	require.NoError(t, template.RegisterAll(t.Context(), pool, templates...))
	command := exec.CommandContext(t.Context(), w.Command[0], arguments...)
	command.Dir = w.Dir
	made, err := command.Output()
	require.NoError(t, err)
	registered, err := executor.New(pool).RegisterTaskTemplate(t.Context(), made)
	require.NoError(t, err, "%s", made)
	require.False(t, registered.Created)
}
