package template

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/nearest"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestFields_AreThoseOfTheDatabase compares the types of this package with tasker.template_fields.
func TestFields_AreThoseOfTheDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for object, want := range known {
		var fields []string
		require.NoError(t, pool.QueryRow(t.Context(),
			"select array_agg(f.field order by f.position) from tasker.template_fields as f where f.object = $1",
			objectName(object)).Scan(&fields))
		require.Equal(t, fields, want.names, object.Name())
		for _, field := range fields {
			var kind string
			require.NoError(t, pool.QueryRow(t.Context(),
				"select f.json_type || case when f.whole then ' whole' else '' end from tasker.template_fields as f where f.object = $1 and f.field = $2",
				objectName(object), field).Scan(&kind))
			require.Contains(t, kindsOf(object.Field(want.index[field]).Type), kind, "%s.%s", object.Name(), field)
		}
	}
	var objects int
	require.NoError(t, pool.QueryRow(t.Context(), "select count(distinct object) from tasker.template_fields").Scan(&objects))
	require.Len(t, known, objects)
}

func kindsOf(t reflect.Type) []string {
	if t == rawJSON {
		return []string{"object"}
	}
	switch t {
	case alternatives, reflect.SliceOf(startOn), reflect.SliceOf(cancelOn):
		return []string{"alternatives"}
	case reflect.TypeFor[Duration]():
		return []string{"duration"}
	case reflect.TypeFor[*ForEach]():
		return []string{"elements"}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return []string{"string"}
	case reflect.Bool:
		return []string{"boolean"}
	case reflect.Int64:
		return []string{"number whole"}
	case reflect.Float64:
		return []string{"number"}
	case reflect.Slice:
		return []string{"array"}
	}
	return []string{"object"}
}

// TestNearest_AgreesWithTheDatabase compares the two implementations, so that a file and the database give the same hint.
func TestNearest_AgreesWithTheDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	names := slices.Clone(known[reflect.TypeFor[Step]()].names)
	for _, name := range []string{
		"handlr", "hanlder", "jion", "Dependencies", "depends_on", "timeout", "xyz", "", "n", "name ", "priorty", "réseau",
		"init", strings.Repeat("retry", 1000), "descripton", "join_mode",
	} {
		var want *string
		require.NoError(t, pool.QueryRow(t.Context(), "select tasker.nearest_name($1, $2)", name, names).Scan(&want))
		if have := nearest.Name(name, names); want == nil {
			require.Empty(t, have, name)
		} else {
			require.Equal(t, *want, have, name)
		}
	}
}
