package executor_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestRegisterTaskTemplate_OnceAndAgain(t *testing.T) {
	t.Parallel()
	registry := executor.New(pgtest.New(t))
	template := json.RawMessage(`{"namespace": "shipping", "name": "order", "steps": [{"name": "reserve"}]}`)

	first, err := registry.RegisterTaskTemplate(t.Context(), template)
	require.NoError(t, err)
	require.True(t, first.Created)
	again, err := registry.RegisterTaskTemplate(t.Context(), template)
	require.NoError(t, err)
	require.False(t, again.Created)
	require.Equal(t, first.NamedTaskUUID, again.NamedTaskUUID)

	have, err := registry.GetTaskTemplate(t.Context(), "shipping", "order", "")
	require.NoError(t, err)
	require.Equal(t, first.ContentHash, have.ContentHash)
	all, err := registry.ListTaskTemplates(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, all, 1)

	_, err = registry.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shipping", "name": "order", "steps": []}`))
	require.ErrorIs(t, err, executor.ErrConflict)
	_, err = registry.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shipping", "nam": "order", "steps": []}`))
	require.ErrorIs(t, err, executor.ErrInvalid)
	problems, err := registry.ValidateTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shipping", "nam": "order", "steps": []}`))
	require.NoError(t, err)
	require.Len(t, problems, 2)

	retired, err := registry.RetireTaskTemplate(t.Context(), "shipping", "order", "0.1.0")
	require.NoError(t, err)
	require.True(t, retired)
}

// TestRegisterTaskTemplate_InTwentySessionsAtOnce registers the same namespaces, templates and handlers
// in all sessions at once. One of each is created, every session gets it, and none deadlocks, even if some of the sessions
// that were first roll back.
func TestRegisterTaskTemplate_InTwentySessionsAtOnce(t *testing.T) {
	t.Parallel()
	const sessions, rounds = 20, 15
	pool := pgtest.New(t, pgtest.MaxConns(sessions))

	for round := range rounds {
		// Each session has its own order of templates; all of them share the handlers.
		templates := make([]json.RawMessage, 4)
		for i := range templates {
			var steps []string
			for j := range 6 {
				steps = append(steps, fmt.Sprintf(`{"name": "s%d", "handler": "h%d_%d"}`, j, round, (i*5+j*7)%9))
			}
			templates[i] = json.RawMessage(fmt.Sprintf(
				`{"namespace": "ns%d_%d", "name": "t%d", "steps": [%s]}`, round, i%2, i, strings.Join(steps, ",")))
		}

		var (
			wg      sync.WaitGroup
			mutex   sync.Mutex
			created = map[string]int{}
			uuids   = map[string]map[uuid.UUID]bool{}
		)
		start := make(chan struct{})
		for session := range sessions {
			wg.Go(func() {
				<-start
				for i := range templates {
					roll := (session+i)%3 == 0
					registration, err := registerOnce(t, pool, templates[(session+i)%len(templates)], roll)
					if err != nil {
						t.Errorf("session %d: %v", session, err)
						return
					}
					if roll {
						continue
					}
					mutex.Lock()
					key := registration.Namespace + "/" + registration.Name
					if registration.Created {
						created[key]++
					}
					if uuids[key] == nil {
						uuids[key] = map[uuid.UUID]bool{}
					}
					uuids[key][registration.NamedTaskUUID] = true
					mutex.Unlock()
				}
			})
		}
		close(start)
		wg.Wait()
		require.Len(t, uuids, len(templates))
		for key := range uuids {
			require.Equal(t, 1, created[key], "%s was created once", key)
			require.Len(t, uuids[key], 1, "%s has one UUID", key)
		}
	}

	var handlers, steps int
	require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker.named_steps").Scan(&handlers))
	require.Equal(t, 9*rounds, handlers)
	require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker.named_tasks_named_steps").Scan(&steps))
	require.Equal(t, 4*6*rounds, steps)
}

func registerOnce(
	t *testing.T, pool *pgxpool.Pool, template json.RawMessage, roll bool,
) (gen.TemplateRegistration, error) {
	tx, err := pool.Begin(t.Context())
	if err != nil {
		return gen.TemplateRegistration{}, err
	}
	registration, err := executor.New(tx).RegisterTaskTemplate(t.Context(), template)
	if err != nil || roll {
		_ = tx.Rollback(t.Context())
		return registration, err
	}
	return registration, tx.Commit(t.Context())
}

func TestRegisterTaskTemplate_SaysWhatDiffers(t *testing.T) {
	t.Parallel()
	e := executor.New(pgtest.New(t))
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "n", "name": "t", "steps": [{"name": "a"}]}`))
	require.NoError(t, err)
	_, err = e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "n", "name": "t", "steps": [{"name": "a", "join": "any"}]}`))
	var pgErr *pgconn.PgError
	require.ErrorAs(t, err, &pgErr)
	require.Equal(t, `step "a" join is all, not any.`, pgErr.Detail)
}
