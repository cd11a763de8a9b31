package propertytest

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const mostItems = 1000 // of a stream: the least that the setting stream_items allows

// said is what a step has said: its streams, and its values with the number of their changes.
type said struct {
	pool    *pgxpool.Pool
	step    uuid.UUID
	claim   int
	streams map[string][]string
	values  map[string]string
	changes map[string]int64
	batches map[string]int
}

// A stream has all items in their order, numbered without a gap, and takes a repeated batch once. A full stream refuses items, and the
// log keeps the newest. The last value wins. A stale claim changes nothing. After an erasure nothing is left.
func TestStreams_AgreeWithTheModel(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, sql := range []string{
		"select tasker.set_setting('stream_items', '" + strconv.Itoa(mostItems) + "')",
		`select tasker.register_task_template('{"namespace": "say", "name": "say", "identity_strategy": "always_unique", "steps": [{"name": "say"}]}')`,
	} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	rounds(t, 10, 200, func(t *testing.T, r *rand.Rand) {
		t.Helper()
		s := &said{pool: pool, streams: map[string][]string{}, values: map[string]string{}, changes: map[string]int64{}, batches: map[string]int{}}
		require.NoError(t, pool.QueryRow(t.Context(), "select tasker.step_uuid(c.task_uuid, 1) from tasker.create_task('say', 'say', '{}') as c").Scan(&s.step))
		require.NoError(t, pool.QueryRow(t.Context(), "select c.claim_no from tasker.claim_step($1, gen_random_uuid()) as c", s.step).Scan(&s.claim))
		for range 5 + r.IntN(40) {
			if r.IntN(3) == 0 {
				s.set(t, r)
			} else {
				s.append(t, r)
			}
		}
		s.compare(t, r)
		var rest int
		for _, sql := range []string{"select tasker.cancel_task(tasker.task_uuid_of($1), 'enough')", "select count(*) from tasker.erase_task(tasker.task_uuid_of($1), 'asked for')"} {
			_, err := pool.Exec(t.Context(), sql, s.step)
			require.NoError(t, err)
		}
		require.NoError(t, pool.QueryRow(t.Context(), `select (select count(*) from tasker.step_streams as h where h.task_uuid = tasker.task_uuid_of($1))
			+ (select count(*) from tasker.stream_items as i where i.task_uuid = tasker.task_uuid_of($1))`, s.step).Scan(&rest))
		require.Zero(t, rest, "rows after the erasure")
	})
}

// append appends to a stream, sometimes with a stale claim, or a batch that was saved already.
func (s *said) append(t *testing.T, r *rand.Rand) {
	t.Helper()
	name := []string{"log", "rows", "words"}[r.IntN(3)]
	items := make([]string, 1+r.IntN([]int{5, 900}[r.IntN(2)]))
	for i := range items {
		items[i] = strconv.Itoa(r.IntN(1000))
	}
	claim, no := s.claim-r.IntN(8)/7, s.batches[name]+1
	again := no > 1 && r.IntN(4) == 0
	if again {
		no--
	}
	text, err := json.Marshal(items)
	require.NoError(t, err)
	var answer string
	var last *int64
	err = s.pool.QueryRow(t.Context(), "select a.answer::text, a.last_no from tasker.append_items($1, $2, $3, $4, $5) as a", s.step, claim, name, text, no).Scan(&answer, &last)
	var refused *pgconn.PgError
	switch have := s.streams[name]; {
	case claim != s.claim:
		require.NoError(t, err)
		require.Equal(t, "stale", answer)
		return
	case again: // saved once
	case name != "log" && len(have)+len(items) > mostItems:
		require.True(t, errors.As(err, &refused), "stream %q with %d items took %d: %v", name, len(have), len(items), err)
		require.Equal(t, "TK413", refused.Code)
		return
	default:
		s.streams[name], s.batches[name] = append(have, items...), no
	}
	require.NoError(t, err)
	require.Equal(t, "saved", answer)
	require.EqualValues(t, len(s.streams[name]), *last, "the number of the last item of %q", name)
}

// set sets a value, sometimes the same again.
func (s *said) set(t *testing.T, r *rand.Rand) {
	t.Helper()
	name, value, claim := []string{"at", "of"}[r.IntN(2)], strconv.Itoa(r.IntN(3)), s.claim-r.IntN(8)/7
	var answer string
	require.NoError(t, s.pool.QueryRow(t.Context(), "select a.answer::text from tasker.set_value($1, $2, $3, $4) as a", s.step, claim, name, value).Scan(&answer))
	if claim != s.claim {
		require.Equal(t, "stale", answer)
		return
	}
	require.Equal(t, "saved", answer)
	if s.values[name] != value {
		s.values[name] = value
		s.changes[name]++
	}
}

// compare reads all, each stream in pages from the first item that it keeps.
func (s *said) compare(t *testing.T, r *rand.Rand) {
	t.Helper()
	rows, err := s.pool.Query(t.Context(), "select l.name, l.value::text, l.first_no, l.last_no from tasker.list_streams($1) as l", s.step)
	require.NoError(t, err)
	first, seen := map[string]int64{}, 0
	for rows.Next() {
		var name string
		var value *string
		var from, to *int64
		require.NoError(t, rows.Scan(&name, &value, &from, &to))
		seen++
		if value != nil {
			require.Equal(t, s.values[name], *value, "value %q", name)
			require.EqualValues(t, s.changes[name], *to, "changes of %q", name)
			continue
		}
		require.EqualValues(t, len(s.streams[name]), *to, "stream %q", name)
		if name != "log" {
			require.EqualValues(t, 1, *from, "stream %q loses nothing", name)
		}
		require.LessOrEqual(t, *to-*from, int64(mostItems-1), "stream %q is bounded", name)
		first[name] = *from
	}
	require.NoError(t, rows.Err())
	require.Equal(t, len(s.values)+len(s.streams), seen)
	for name, items := range s.streams {
		for after := first[name] - 1; after < int64(len(items)); {
			most := 1 + r.IntN(500)
			rows, err := s.pool.Query(t.Context(), "select r.item_no, r.item #>> '{}' from tasker.read_stream($1, $2, $3, $4) as r", s.step, name, after, most)
			require.NoError(t, err)
			start := after
			for rows.Next() {
				var no int64
				var item string
				require.NoError(t, rows.Scan(&no, &item))
				require.Equal(t, after+1, no, "stream %q has no gap", name)
				require.Equal(t, items[after], item, "item %d of %q", no, name)
				after = no
			}
			require.NoError(t, rows.Err())
			require.Equal(t, min(start+int64(most), int64(len(items))), after, "a page of %d of %q after %d", most, name, start)
		}
	}
}
