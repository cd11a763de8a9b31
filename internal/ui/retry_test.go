package ui

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// A page that is opened while the database does not answer tries again by itself. A refused page does not.
func TestError_TriesAgainWhileTheDatabaseDoesNotAnswer(t *testing.T) {
	t.Parallel()
	problem := Problem{Status: http.StatusServiceUnavailable, Detail: "the database does not answer"}
	u := New(Config{
		Transact: func(*http.Request, string, bool, func(context.Context, pgx.Tx) error) (Principal, error) {
			return Principal{}, errors.New("no connection")
		},
		Describe: func(*http.Request, error) Problem { return problem },
	})
	t.Cleanup(u.Close)
	look := func() (int, string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, Root+"/tasks", http.NoBody)
		r.AddCookie(&http.Cookie{Name: sessionCookie, Value: "tasker_x"})
		w := httptest.NewRecorder()
		u.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	status, body := look()
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, body, `data-retry="The database"`)
	require.Contains(t, body, `<noscript><meta http-equiv="refresh" content="10"></noscript>`)
	problem.Status = http.StatusForbidden
	_, body = look()
	require.NotContains(t, body, "data-retry")
	require.NotContains(t, body, "http-equiv")
}

// A form is accepted with each of the tokens that its session was given, which differ, and with no other.
func TestSession_FormsCarryATokenThatDiffersEachTime(t *testing.T) {
	t.Parallel()
	s, other := newSession("tasker_a", "auto"), newSession("tasker_b", "auto")
	one, two := s.masked(), s.masked()
	require.NotEqual(t, one, two)
	for _, given := range []string{one, two} {
		require.True(t, s.accepts(map[string][]string{"csrf": {given}}))
		require.False(t, other.accepts(map[string][]string{"csrf": {given}}))
	}
	for _, wrong := range []string{"", "x", one[:len(one)-2], other.masked()} {
		require.False(t, s.accepts(map[string][]string{"csrf": {wrong}}))
	}
}

func TestRoot_WithASlashLeadsToTheOverview(t *testing.T) {
	t.Parallel()
	u := New(Config{})
	t.Cleanup(u.Close)
	w := httptest.NewRecorder()
	u.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, Root+"/", http.NoBody))
	require.Equal(t, http.StatusMovedPermanently, w.Code)
	require.Equal(t, Root, w.Header().Get("Location"))
}
