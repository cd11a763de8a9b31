package pgmqtest_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/tests/pgmqtest"
)

// TestOwn_AnswersAsTheExtension makes the same random calls in both databases. PGTASKER_SEED repeats one run.
func TestOwn_AnswersAsTheExtension(t *testing.T) {
	t.Parallel()
	seeds, calls := []uint64{1, 2, 3}, 400
	if soak {
		seeds, calls = nil, 4000
		for range 10 {
			seeds = append(seeds, uint64(time.Now().UnixNano()))
		}
	}
	if text := os.Getenv("PGTASKER_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		seeds = []uint64{seed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			d := &differential{
				t: t, real: pgmqtest.NewReal(t), own: pgmqtest.NewOwn(t),
				rand: rand.New(rand.NewPCG(seed, 0)),
			}
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("PGTASKER_SEED=%d repeats this; the last calls were:\n%s", seed, strings.Join(d.last(15), "\n"))
				}
			})
			for _, queue := range queues[:3] {
				d.both(fmt.Sprintf(`select pgmq.create('%s')`, queue))
			}
			for range calls {
				d.call()
				if t.Failed() {
					return
				}
			}
			d.compareTables()
		})
	}
}

// The last queue is created and dropped at random.
var queues = []string{"plain", "Hy-Phen", "third", "comes_and_goes"}

type differential struct {
	t         *testing.T
	own, real *pgxpool.Pool
	rand      *rand.Rand
	log       []string
}

func (d *differential) last(n int) []string { return d.log[max(0, len(d.log)-n):] }

// outcome is the answer to a statement: rows as text, or the error.
type outcome struct {
	rows []string
	err  string
}

func run(ctx context.Context, pool *pgxpool.Pool, sql string) (o outcome) {
	rows, _ := pool.Query(ctx, sql)
	o.rows, _ = pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		values, err := row.Values()
		return fmt.Sprint(values), err
	})
	var failure *pgconn.PgError
	if errors.As(rows.Err(), &failure) {
		o.err = failure.Code
		if failure.Code == "P0001" { // messages of pgmq itself
			o.err += " " + failure.Message
		}
	}
	return o
}

// both runs a statement in both databases and compares the answers. The order of the rows matters only if the statement sorts
// them.
func (d *differential) both(sql string) {
	d.t.Helper()
	d.log = append(d.log, sql+";")
	own, real := run(d.t.Context(), d.own, sql), run(d.t.Context(), d.real, sql)
	require.Equal(d.t, real, own, "answers to %s: the extension's, ours", sql)
}

func (d *differential) compareTables() {
	d.t.Helper()
	for _, queue := range queues {
		for _, table := range []string{"q_", "a_"} {
			d.both(fmt.Sprintf(
				`select msg_id, read_ct, message::text, headers::text, last_read_at is null, vt > clock_timestamp() from pgmq."%s" order by msg_id`,
				table+strings.ToLower(queue)))
		}
	}
}

func pick[T any](d *differential, values ...T) T { return values[d.rand.IntN(len(values))] }

func (d *differential) queue() string {
	if d.rand.IntN(60) == 0 {
		return pick(d, `'none'`, `null`, `'a;b'`, `'a''''b'`, `'a--b'`, `'a$b'`, `'PLAIN'`, `'hy-phen'`, `'`+strings.Repeat("x", 48)+`'`)
	}
	return "'" + pick(d, queues...) + "'"
}

func (d *differential) message() string {
	return pick(d, `'{"a": 1}'`, `'{"a": 2, "b": [1, 2]}'`, `'{"a": 1, "c": {"d": null}}'`, `'7'`, `'"text"'`, `'null'`, `null::jsonb`)
}

func (d *differential) headers() string {
	return pick(d, `'{"x-pgmq-group": "a"}'::jsonb`, `'{"x-pgmq-group": "b"}'::jsonb`, `'{"x-pgmq-group": "c", "h": 1}'::jsonb`,
		`'{"x-pgmq-group": ""}'::jsonb`, `'{"x-pgmq-group": null}'::jsonb`, `'{"h": 2}'::jsonb`, `null::jsonb`)
}

// delay is long enough not to pass while the test runs.
func (d *differential) delay() string {
	return pick(d, `0`, `0`, `0`, `-10`, `3600`, `now() + interval '1 hour'`, `now() - interval '1 hour'`, `'2040-01-01'::timestamptz`, `null::integer`)
}

func (d *differential) vt() string { return pick(d, `0`, `3600`, `3600`, `-5`, `null`) }

func (d *differential) id() string { return fmt.Sprint(d.rand.IntN(60)) }

func (d *differential) ids() string {
	return "array[" + strings.Join([]string{d.id(), d.id(), pick(d, d.id(), "null")}, ", ") + "]::bigint[]"
}

func (d *differential) array(element func() string, n int) string {
	elements := make([]string, n)
	for i := range elements {
		elements[i] = element()
	}
	return "array[" + strings.Join(elements, ", ") + "]::jsonb[]"
}

const messageColumns = `msg_id, read_ct, message::text, headers::text, last_read_at is null, vt > clock_timestamp() + interval '1 minute'`

// quantity returns a number of messages for read and pop. It is any number if both orders begin with the same messages,
// else it is all messages.
func (d *differential) quantity(queue string) string {
	n := pick(d, 0, 1, 2, 3, 5)
	var same bool
	table := pgx.Identifier{"pgmq", "q_" + strings.ToLower(strings.Trim(queue, "'"))}.Sanitize()
	err := d.own.QueryRow(d.t.Context(), fmt.Sprintf(`
		select (select array_agg(o.msg_id order by o.msg_id) from (select msg_id from %[1]s where vt <= clock_timestamp() order by vt, msg_id limit %[2]d) as o)
		       is not distinct from
		       (select array_agg(r.msg_id order by r.msg_id) from (select msg_id from %[1]s where vt <= clock_timestamp() order by msg_id limit %[2]d) as r)`,
		table, n)).Scan(&same)
	if err != nil || same {
		return fmt.Sprint(n)
	}
	return pick(d, "null", "1000")
}

func (d *differential) call() {
	q := d.queue()
	switch d.rand.IntN(23) {
	case 0, 1:
		d.both(fmt.Sprintf(`select pgmq.send(%s, %s)`, q, d.message()))
	case 2, 3, 4:
		d.both(fmt.Sprintf(`select pgmq.send(%s, %s, %s)`, q, d.message(), pick(d, d.headers(), d.delay())))
	case 5, 6:
		d.both(fmt.Sprintf(`select pgmq.send(%s, %s, %s, %s)`, q, d.message(), d.headers(), d.delay()))
	case 7, 8:
		n := d.rand.IntN(5)
		d.both(fmt.Sprintf(`select pgmq.send_batch(%s, %s%s%s)`, q, d.array(d.message, n),
			pick(d, "", ", "+d.array(d.headers, n), ", "+d.array(d.headers, n), ", "+d.array(d.headers, 2)),
			pick(d, "", ", "+d.delay())))
	case 9, 10, 11:
		d.both(fmt.Sprintf(`select %s from pgmq.read(%s, %s, %s%s) order by msg_id`, messageColumns, q, d.vt(), d.quantity(q), ""))
	case 12:
		d.both(fmt.Sprintf(`select %s from pgmq.read(%s, %s, 1000, %s) order by msg_id`, messageColumns, q, d.vt(),
			pick(d, `'{"a": 1}'`, `'{"a": 2}'`, `'{}'`, `'[]'`, `'7'`, `null`)))
	case 13, 14:
		d.both(fmt.Sprintf(`select %s from pgmq.pop(%s, %s) order by msg_id`, messageColumns, q, d.quantity(q)))
	case 15:
		d.both(fmt.Sprintf(`select %s from pgmq.set_vt(%s, %s, %s) order by msg_id`, messageColumns, q,
			pick(d, d.id()+"::bigint", d.ids()), pick(d, `0`, `3600`, `-5`, `now() + interval '1 hour'`, `now() - interval '1 hour'`)))
	case 16:
		d.both(fmt.Sprintf(`select pgmq.delete(%s, %s) as id order by id`, q, pick(d, d.id()+"::bigint", d.ids())))
	case 17:
		d.both(fmt.Sprintf(`select pgmq.archive(%s, %s) as id order by id`, q, pick(d, d.id()+"::bigint", d.ids())))
	case 18, 19:
		d.both(fmt.Sprintf(`select queue_name, queue_length, newest_msg_age_sec is null, oldest_msg_age_sec is null, total_messages, queue_visible_length from pgmq.metrics(%s)`, q))
	case 20:
		d.both(`select queue_name, queue_length, total_messages, queue_visible_length from pgmq.metrics_all() order by 1`)
		d.both(`select queue_name, is_partitioned, is_unlogged from pgmq.list_queues() order by 1`)
	case 21:
		d.both(pick(d, `select pgmq.purge_queue('comes_and_goes')`, `select pgmq.create_partitioned('parts')`, `select pgmq.validate_queue_name(repeat('y', 48))`))
	case 22:
		d.both(pick(d, `select pgmq.create('comes_and_goes')`, `select pgmq.create_unlogged('comes_and_goes')`,
			`select pgmq.drop_queue('comes_and_goes')`, `select pgmq.create('a;b')`, `select pgmq.create('`+strings.Repeat("z", 48)+`')`))
	}
	if d.rand.IntN(20) == 0 {
		d.compareTables()
	}
}
