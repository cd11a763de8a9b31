package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/workertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestPlace_WritesTheOrderAndItsTaskOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w, err := prepare(t.Context(), pool)
	require.NoError(t, err)
	routes := shop{pool}.routes()
	ask := func(method, path, body string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		routes.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
		return answer
	}

	const order = `{"number": 7, "customer": "Ada", "cents": 1299}`
	first, second := ask("POST", "/orders", order), ask("POST", "/orders", order)
	require.Equal(t, http.StatusAccepted, first.Code)
	require.Equal(t, first.Body.String(), second.Body.String(), "sent twice it is the same task")
	var orders int
	require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from web_orders").Scan(&orders))
	require.Equal(t, 1, orders)

	path := first.Header().Get("Location")
	require.Equal(t, "steps_in_process, 4 of 4 steps are open\n", ask("GET", path, "").Body.String())
	task := uuid.MustParse(strings.TrimPrefix(path, "/orders/"))
	require.Equal(t, state.TaskComplete, workertest.Run(t, pool, w, task).State)
	require.Equal(t, "complete, 0 of 4 steps are open\n", ask("GET", path, "").Body.String())
	require.Equal(t, http.StatusBadRequest, ask("POST", "/orders", "[").Code)
	require.Equal(t, http.StatusBadRequest, ask("GET", "/orders/7", "").Code)
	require.Equal(t, http.StatusNotFound, ask("GET", "/orders/"+uuid.NewString(), "").Code)
}
