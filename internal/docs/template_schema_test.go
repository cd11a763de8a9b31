package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/docs/page"
	"github.com/pgtasker/pgtasker/internal/jsonschema"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
)

// TestDocs_TemplateSchema: the schema agrees with the database's description of the fields of templates. "make docs"
// writes the schema.
func TestDocs_TemplateSchema(t *testing.T) {
	t.Parallel()
	fields, err := readTemplateFields(t.Context(), pgtest.New(t))
	require.NoError(t, err)
	schedules, err := scheduleSchema(filepath.Join(root, "template/schedule.go"), reflect.TypeFor[template.Schedule]())
	require.NoError(t, err)
	compact, err := json.Marshal(templateSchema(fields, schedules))
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, json.Indent(&want, compact, "", "  "))
	want.WriteByte('\n')
	path := filepath.Join(root, templateSchemaFile)
	if os.Getenv("PGTASKER_UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(path, want.Bytes(), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want.String(), string(have), "run make docs")
}

func readTemplateSchema(t *testing.T) jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.Parse([]byte(template.Schema()))
	require.NoError(t, err)
	return s
}

func TestTemplateSchema_HasEveryFieldThatTheDatabaseKnows(t *testing.T) {
	t.Parallel()
	schema := readTemplateSchema(t)
	fields, err := readTemplateFields(t.Context(), pgtest.New(t))
	require.NoError(t, err)
	properties := func(object string) map[string]any {
		of := schema.Root()
		if object != "template" {
			of = schema.Definition(object)
		}
		require.NotNil(t, of, object)
		require.Equal(t, false, of["additionalProperties"], object)
		found, _ := of["properties"].(map[string]any)
		return found
	}
	known := map[string]int{}
	for _, f := range fields {
		known[f.Object]++
		property, _ := properties(f.Object)[f.Field].(map[string]any)
		if assert.NotNil(t, property, "%s.%s", f.Object, f.Field) {
			assert.Equal(t, f.Description, property["description"], "%s.%s", f.Object, f.Field)
		}
	}
	known["template"]++ // for schedules, which are beside a template in a file
	for object, count := range known {
		assert.Len(t, properties(object), count, object)
	}
	require.Len(t, properties("schedule"), reflect.TypeFor[template.Schedule]().NumField())
}

// document is an example in the repository.
type document struct {
	name  string
	value map[string]any
}

// documents returns the templates of a text that package template reads. It returns none if the package reads the
// text in another way.
func documents(t *testing.T, name, text string) (found []document) {
	t.Helper()
	templates, err := template.Load(strings.NewReader(text))
	if err != nil {
		return nil
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var value any
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err, name)
		}
		if value == nil {
			continue
		}
		found = append(found, document{fmt.Sprintf("%s#%d", name, len(found)), asJSON(t, value).(map[string]any)})
	}
	require.Len(t, found, len(templates), name)
	return found
}

func asJSON(t *testing.T, value any) (decoded any) {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &decoded))
	return decoded
}

// examples returns every template of the repository, from its YAML files and from the YAML blocks of its pages.
func examples(t *testing.T) (found []document) {
	t.Helper()
	skip := []string{"node_modules", ".cache", ".git", "dist", "vendor"}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if err == nil && slices.Contains(skip, entry.Name()) {
				return fs.SkipDir
			}
			return err
		}
		switch filepath.Ext(path) {
		case ".yaml", ".yml":
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			found = append(found, documents(t, path, string(text))...)
		case ".md":
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, block := range yamlBlocks.FindAllStringSubmatch(string(text), -1) {
				found = append(found, documents(t, fmt.Sprintf("%s block %d", path, i+1), block[1])...)
			}
		}
		return nil
	}))
	return found
}

var yamlBlocks = regexp.MustCompile("(?s)```yaml[^\n]*\n(.*?)```")

func TestTemplateSchema_FitsEveryExampleThatTheDatabaseAccepts(t *testing.T) {
	t.Parallel()
	schema, e := readTemplateSchema(t), executor.New(pgtest.New(t))
	all, accepted := examples(t), 0
	for _, d := range all {
		if len(refusals(t, e, d.value)) > 0 {
			continue // a part of a template, or a template that shows a mistake
		}
		accepted++
		assert.Empty(t, schema.Problem("template", d.value), d.name)
	}
	t.Logf("%d of %d examples are accepted", accepted, len(all))
	require.Greater(t, accepted, 40)
}

// refusals returns the database's objections to a template, without the schedules, which are no part of a template.
func refusals(t *testing.T, e *executor.SqlFunctionExecutor, value any) []gen.TemplateProblem {
	t.Helper()
	if object, ok := value.(map[string]any); ok {
		object = maps.Clone(object)
		delete(object, "schedules")
		value = object
	}
	text, err := json.Marshal(value)
	require.NoError(t, err)
	problems, err := e.ValidateTaskTemplate(t.Context(), text)
	require.NoError(t, err, "%s", text)
	return problems
}

// wrong are values, each of which some field does not accept.
var wrong = []any{
	nil, true, 7.0, 0.0, -1.0, 0.5, 1e9, "", "x", "two words", "-1s", "90s", strings.Repeat("x", 10001),
	[]any{},
	[]any{1.0},
	[]any{map[string]any{}},
	map[string]any{},
	map[string]any{"step": "x", "nope": 1.0},
}

// TestTemplateSchema_RefusesNothingThatTheDatabaseAccepts changes every field of every example of docs/templates.md to many values,
// leaves each field out, and adds fields. If the schema refuses the template, the database must refuse it, too. If the database
// refuses it because of a single value, the schema must refuse it, too.
func TestTemplateSchema_RefusesNothingThatTheDatabaseAccepts(t *testing.T) {
	t.Parallel()
	schema, e := readTemplateSchema(t), executor.New(pgtest.New(t))
	p, err := page.Read(filepath.Join(root, "docs/templates.md"))
	require.NoError(t, err)
	ofShape := regexp.MustCompile(`has no such field|is missing|it must be one of|must be an? (object|array|whole number|boolean)|must have at most`)
	tried, refused, bySchema := 0, 0, 0
	done := map[string]bool{} // the tried fields of each object, since one example of each field is enough
	judge := func(what string, value map[string]any) {
		tried++
		problem, problems := schema.Problem("template", value), refusals(t, e, value)
		if problem != "" {
			bySchema++
			assert.NotEmpty(t, problems, "%s: the schema says %s", what, problem)
		}
		if len(problems) > 0 {
			refused++
			if ofShape.MatchString(problems[0].Problem) {
				assert.NotEmpty(t, problem, "%s: the database says %s: %s", what, problems[0].Path, problems[0].Problem)
			}
		}
	}
	for _, b := range p.Blocks {
		for _, d := range documents(t, fmt.Sprint("line ", b.Line), b.Text) {
			delete(d.value, "schedules")
			each(d.value, d.name, func(at string, object map[string]any) {
				object["no_such_field"] = 1.0
				judge(at+".no_such_field", d.value)
				delete(object, "no_such_field")
				for _, name := range slices.Sorted(maps.Keys(object)) {
					if kind := indexes.ReplaceAllString(strings.TrimPrefix(at, d.name), ""); done[kind+"."+name] {
						continue
					} else {
						done[kind+"."+name] = true
					}
					kept := object[name]
					delete(object, name)
					judge(at+"."+name+" left out", d.value)
					for _, value := range wrong {
						object[name] = value
						judge(fmt.Sprintf("%s.%s = %.30v", at, name, value), d.value)
					}
					object[name] = kept
				}
			})
		}
	}
	t.Logf("%d templates: the database refuses %d, the schema %d", tried, refused, bySchema)
	require.Greater(t, bySchema, 500)
	require.Greater(t, tried, 700)
}

var indexes = regexp.MustCompile(`\[\d+\]`)

// each calls visit with every object of a template that has fields of its own.
func each(object map[string]any, at string, visit func(at string, object map[string]any)) {
	visit(at, object)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch value := object[name].(type) {
		case map[string]any:
			if slices.Contains([]string{"lifecycle", "retry", "await", "task", "for_each"}, name) {
				each(value, at+"."+name, visit)
			}
		case []any:
			for i, element := range value {
				if inner, ok := element.(map[string]any); ok {
					each(inner, fmt.Sprintf("%s.%s[%d]", at, name, i), visit)
				}
			}
		}
	}
}

// The words for schedules in the schema are the words that the database accepts.
func TestTemplateSchema_KnowsTheWordsOfSchedules(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	templates, err := template.Load(strings.NewReader("namespace: shop\nname: order\nsteps: [{name: pay}]\n"))
	require.NoError(t, err)
	require.NoError(t, template.RegisterAll(t.Context(), pool, templates...))
	set := func(name, word string) error {
		p := sqlfn.SetScheduleParams{Namespace: "shop", Schedule: "s", TaskName: "order", Timezone: "UTC", Cron: "0 2 * * *", Context: json.RawMessage("{}"), CatchUp: "one", CatchUpLimit: 100, Overlap: "allow"}
		if name == "catch_up" {
			p.CatchUp = word
		} else {
			p.Overlap = word
		}
		_, err := e.SetSchedule(t.Context(), p)
		return err
	}
	for name, words := range scheduleChoices {
		for _, word := range words {
			require.NoError(t, set(name, word))
		}
		// The message of the database names all words that it accepts.
		var said *executor.Error
		err := set(name, "nonsense")
		require.Error(t, err)
		_ = errors.As(err, &said)
		for _, word := range words {
			require.Contains(t, fmt.Sprint(err, said), word)
		}
	}
}
