package serve_test

import (
	"testing"

	"github.com/pgtasker/pgtasker/serve"

	"github.com/stretchr/testify/require"
)

// A gateway that filters bodies knows only the documented names.
func TestBodies_HaveOnlyFieldsThatExistInTheirCase(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	token := s.token(t, "ops", "operator", "*")
	for body, field := range map[string]string{
		`{"Namespace": "shop", "name": "one"}`:                     `"Namespace"`,
		`{"namespace": "shop", "NAME": "one", "name": "one"}`:      `"NAME"`,
		`{"namespace": "shop", "name": "one", "priorit\u0130": 1}`: `"priorit`,
		`{"namespace": "shop", "name": "one", "more": 1}`:          `"more"`,
	} {
		p := s.send(t, token, "POST", "/v1/tasks", body).problem(t, 422)
		require.Contains(t, p.Detail, "there is no field "+field, body)
	}
	require.Equal(t, 200, s.send(t, token, "POST", "/v1/tasks", `{"namespace": "shop", "name": "order", "identity_key": "k", "context": {"Any": 1}}`).status)
}
