package propertytest

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/jsonschema"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// The rule of signals and of a task's input agrees with another implementation of JSON Schema about random schemas and values. It is a
// function of both alone, so the models of calls need not know it.
func TestSchema_AgreesWithAnotherImplementation(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fits, misfits := 0, 0
	rounds(t, 20, 500, func(t *testing.T, r *rand.Rand) {
		schemas, values := make([]string, 100), make([]string, 100)
		for i := range schemas {
			schemas[i], values[i] = jsonOf(t, randomSchema(r, 3)), jsonOf(t, randomValue(r, 3))
		}
		rows, err := pool.Query(t.Context(), `
			select tasker.schema_problem(u.schema, 'schema'), tasker.payload_problem(u.schema, u.value, 'value')
			  from unnest($1::jsonb[], $2::jsonb[]) with ordinality as u (schema, value, no)
			 order by u.no`, schemas, values)
		require.NoError(t, err)
		defer rows.Close()
		for i := 0; rows.Next(); i++ {
			var refused, found *string
			require.NoError(t, rows.Scan(&refused, &found))
			require.Nil(t, refused, schemas[i])
			schema, err := jsonschema.Parse([]byte(schemas[i]))
			require.NoError(t, err)
			var value any
			require.NoError(t, json.Unmarshal([]byte(values[i]), &value))
			other := schema.Problem("value", value)
			require.Equal(t, other != "", found != nil, "schema %s, value %s: the database says %v, the other one %q", schemas[i], values[i], found, other)
			if found == nil {
				fits++
			} else {
				misfits++
			}
		}
		require.NoError(t, rows.Err())
	})
	require.Greater(t, min(fits, misfits), 200, "both outcomes are frequent")
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	made, err := json.Marshal(v)
	require.NoError(t, err)
	return string(made)
}

var (
	schemaKinds = []string{"object", "array", "string", "number", "integer", "boolean", "null"}
	schemaNames = []string{"a", "b", "c d"}
	scalars     = []any{"", "x", "long text", 0, 1, 1.5, -7, 2e3, true, false, nil}
)

func randomSchema(r *rand.Rand, depth int) map[string]any {
	s := map[string]any{}
	some := func(n int) bool { return r.IntN(n) == 0 }
	switch r.IntN(4) {
	case 0:
		s["type"] = schemaKinds[r.IntN(len(schemaKinds))]
	case 1:
		var kinds []string
		for _, k := range r.Perm(len(schemaKinds))[:1+r.IntN(4)] {
			kinds = append(kinds, schemaKinds[k])
		}
		s["type"] = kinds
	}
	if some(6) {
		var values []any
		for range 1 + r.IntN(5) {
			values = append(values, scalars[r.IntN(len(scalars))])
		}
		s["enum"] = values
	}
	if some(4) {
		s["minimum"] = r.IntN(4) - 1
	}
	if some(4) {
		s["maximum"] = r.IntN(4)
	}
	if some(4) {
		s["maxLength"] = r.IntN(6)
	}
	if some(4) {
		s["title"], s["default"], s["examples"] = "note", 7, []any{nil}
	}
	if depth == 0 {
		return s
	}
	if some(3) {
		s["items"] = randomSchema(r, depth-1)
	}
	if some(2) {
		properties := map[string]any{}
		for _, name := range schemaNames {
			if some(2) {
				properties[name] = randomSchema(r, depth-1)
			}
		}
		s["properties"] = properties
	}
	if some(3) {
		s["required"] = []string{schemaNames[r.IntN(len(schemaNames))]}
	}
	return s
}

func randomValue(r *rand.Rand, depth int) any {
	if depth == 0 || r.IntN(3) == 0 {
		return scalars[r.IntN(len(scalars))]
	}
	if r.IntN(3) == 0 {
		list := []any{}
		for range r.IntN(3) {
			list = append(list, randomValue(r, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for _, name := range schemaNames {
		if r.IntN(2) == 0 {
			object[name] = randomValue(r, depth-1)
		}
	}
	return object
}
