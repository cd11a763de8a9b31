package docs

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/docs/page"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
)

// TestTemplates_HaveEveryFieldWithItsDefault: docs/templates.md must have every field and every object.
func TestTemplates_HaveEveryFieldWithItsDefault(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fields, err := readTemplateFields(t.Context(), pool)
	require.NoError(t, err)
	settings, err := executor.New(pool).ListSettings(t.Context())
	require.NoError(t, err)
	known := map[string]bool{}
	for _, s := range settings {
		known[s.Name] = true
	}

	objects, optional := map[string]bool{}, map[string]bool{}
	for _, f := range fields {
		objects[f.Object] = true
		name := f.Object + "." + f.Field
		assert.Contains(t, templateObjects, f.Object)
		if f.Required {
			continue
		}
		optional[name] = true
		assert.NotEmpty(t, templateDefaults[name], "templateDefaults lacks %s", name)
		if len(f.Choices) > 0 {
			assert.Contains(t, f.Choices, templateDefaults[name], "the default of %s", name)
		}
	}
	require.Len(t, templateObjects, len(objects))
	for name, value := range templateDefaults {
		assert.True(t, optional[name], "templateDefaults has %s, which no template has", name)
		if setting := regexp.MustCompile("^setting `(.*)`$").FindStringSubmatch(value); setting != nil {
			assert.True(t, known[setting[1]], "%s: there is no setting %s", name, setting[1])
		}
	}
}

// TestTemplates_HaveExamplesThatRegister: each object has an example, and the examples together show all fields.
func TestTemplates_HaveExamplesThatRegister(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	p, err := page.Read(filepath.Join(root, "docs/templates.md"))
	require.NoError(t, err)
	var shown strings.Builder
	examples := 0
	for _, b := range p.Blocks {
		require.Equal(t, "yaml", b.Language)
		examples++
		shown.WriteString(b.Text)
		templates, err := template.Load(strings.NewReader(b.Text))
		if assert.NoError(t, err, "line %d", b.Line) {
			assert.NoError(t, template.RegisterAll(t.Context(), pool, templates...), "line %d", b.Line)
		}
	}
	require.GreaterOrEqual(t, examples, len(templateObjects))
	fields, err := readTemplateFields(t.Context(), pool)
	require.NoError(t, err)
	for _, f := range fields {
		switch {
		case f.Object == "template" && f.Field == "types":
			continue // Only programs send this field; files do not have it.
		case f.Object == "template" && f.Field == "encrypted":
			continue // Most other fields are refused together with it. docs/howto/encrypted.md has an example.
		case f.Object == "step" && f.Field == "sql":
			continue // Its function has to exist. docs/howto/sql-steps.md has an example.
		}
		assert.Regexp(t, `\b`+f.Field+`: `, strings.ReplaceAll(shown.String(), ":\n", ": \n"), "no example has %s of %s", f.Field, f.Object)
	}
}
