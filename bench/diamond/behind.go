package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/floor"
	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// side is a database with or without a history.
type side struct {
	name  string
	pool  *pgxpool.Pool
	conn  *pgxpool.Conn // the connection of rows
	rows  *floor.Floor
	turns map[load][]turn
	alone map[load][]turn // turns of the rows alone
}

// turn has the figures of one turn of a load: steps a second, and the buffers that the exchanges read for a step.
type turn struct {
	rate, buffers float64
	steps         int
}

// The names of the engine's exchanges and of the rows' exchanges in pg_stat_statements.
const (
	exchanges      = "%tasker.exchange_steps%"
	exchangesAlone = "%floor_exchange_%"
)

// compareBehind measures the engine in a database with many finished tasks and many steps that wait, in turns with
// two empty databases. The difference between the empty databases is the noise. In the same databases compareBehind
// measures the rows alone, whose buffers grow as the indexes get deeper.
func compareBehind(ctx context.Context, server *lab.Server) error {
	sides := []*side{{name: fmt.Sprintf("%d finished, %d waiting", *behind, *behind/2)}, {name: "nothing"}, {name: "nothing, again"}}
	for _, s := range sides {
		if err := s.open(ctx, server); err != nil {
			return err
		}
		defer closeRows(ctx, s.conn)
	}
	loads := []load{{"diamond", 2, 100}, {"diamond", 1, 1}}
	recorded := map[load]recording{}
	for _, l := range loads {
		r, err := record(ctx, server, l.tasks(), l.batch)
		if err == nil {
			err = sides[2].prove(ctx, r)
		}
		if err != nil {
			return fmt.Errorf("the rows alone, %+v: %w", l, err)
		}
		recorded[l] = r
	}
	if err := fill(ctx, sides[0].pool, *behind); err != nil {
		return err
	}
	// All databases begin with current statistics, and no vacuum is due.
	for _, s := range sides {
		if _, err := s.pool.Exec(ctx, "vacuum analyze"); err != nil {
			return err
		}
	}
	if _, err := sides[0].pool.Exec(ctx, "checkpoint"); err != nil {
		return err
	}
	for round := range *rounds + 1 {
		for i := range sides {
			s := sides[(i+round)%len(sides)]
			for _, l := range loads {
				t, err := s.turn(ctx, l)
				if err != nil {
					return fmt.Errorf("%s, %+v: %w", s.name, l, err)
				}
				alone, err := s.turnAlone(ctx, l, recorded[l].calls)
				if err != nil {
					return fmt.Errorf("%s, the rows alone, %+v: %w", s.name, l, err)
				}
				if round > 0 { // the first turn only warms up
					s.turns[l], s.alone[l] = append(s.turns[l], t), append(s.alone[l], alone)
				}
			}
		}
	}
	if err := report(sides, loads); err != nil {
		return err
	}
	if *growing > 0 {
		return listGrowing(ctx, sides[0], sides[1], loads)
	}
	return nil
}

func rate(t turn) float64 { return t.rate }

func buffers(t turn) float64 { return t.buffers }

func report(sides []*side, loads []load) error {
	rows := [][]string{{
		"tables", "connections", "steps a call", "steps/s", "rate, ratio", "buffers a step", "ratio", "the rows alone", "ratio",
	}}
	full, empty, again := sides[0], sides[1], sides[2]
	for _, l := range loads {
		for _, s := range sides {
			rows = append(rows, []string{
				s.name, fmt.Sprint(l.connections), fmt.Sprint(l.batch),
				fmt.Sprintf("%.0f", middle(each(s.turns[l], rate))), spread(ratios(s.turns[l], empty.turns[l], rate)),
				fmt.Sprintf("%.0f", middle(each(s.turns[l], buffers))), spread(ratios(s.turns[l], empty.turns[l], buffers)),
				fmt.Sprintf("%.0f", middle(each(s.alone[l], buffers))), spread(ratios(s.alone[l], empty.alone[l], buffers)),
			})
		}
		for _, g := range []struct {
			what, goal, unit string
			of               func(turn) float64
		}{
			{"rate", "0.9", " steps a second", rate},
			{"buffers a step", "1.1", "", buffers},
		} {
			compared := func(a, b []turn) string {
				return fmt.Sprintf("%.2f (%.0f and %.0f%s)", middle(ratios(a, b, g.of)), middle(each(a, g.of)), middle(each(b, g.of)), g.unit)
			}
			if err := lab.GoalWithFloor(
				fmt.Sprintf("%s, exchange of %d: %s against a database without", full.name, l.batch, g.what), g.goal,
				compared(full.turns[l], empty.turns[l]), compared(full.alone[l], empty.alone[l]), spread(ratios(again.turns[l], empty.turns[l], g.of)),
			); err != nil {
				return err
			}
		}
	}
	lab.Table(rows)
	return nil
}

// open makes the database.
func (s *side) open(ctx context.Context, server *lab.Server) (err error) {
	s.turns, s.alone = map[load][]turn{}, map[load][]turn{}
	if s.pool, err = open(ctx, server); err != nil {
		return err
	}
	for _, extension := range []string{"pg_stat_statements", "pageinspect"} {
		if _, err := s.pool.Exec(ctx, "create extension if not exists "+extension+" schema public"); err != nil {
			return err
		}
	}
	s.conn, s.rows, err = openRows(ctx, s.pool)
	return err
}

// prove writes the rows of a recording once, and returns an error unless they are the rows that the engine writes.
func (s *side) prove(ctx context.Context, r recording) error {
	tasks, err := floor.EngineCreate(ctx, s.conn, "diamond", len(r.tasks))
	if err != nil {
		return err
	}
	before, err := floor.Counts(ctx, s.conn.Conn(), s.pool)
	if err != nil {
		return err
	}
	if err := s.rows.Replay(ctx, "diamond", tasks, r.calls); err != nil {
		return err
	}
	after, err := floor.Counts(ctx, s.conn.Conn(), s.pool)
	if err != nil {
		return err
	}
	return floor.Compare(ctx, r.pool, s.pool, r.tasks, tasks, floor.Add(r.calls), floor.Since(before, after))
}

// turn makes and drains diamonds for a while.
func (s *side) turn(ctx context.Context, l load) (t turn, err error) {
	if err := s.forget(ctx); err != nil {
		return t, err
	}
	start := time.Now()
	steps := make([]int, l.connections)
	errs := make(chan error, l.connections)
	for c := range l.connections {
		go func() {
			_, err := l.work(ctx, s.pool, start.Add(time.Duration(*seconds)*time.Second), func(_ time.Duration, _, done int) { steps[c] += done })
			errs <- err
		}()
	}
	for range l.connections {
		err = errors.Join(err, <-errs)
	}
	if err != nil {
		return t, err
	}
	var done int
	for _, n := range steps {
		done += n
	}
	return s.measured(ctx, exchanges, done, time.Since(start))
}

// turnAlone writes the rows of diamonds for a while, over one connection.
func (s *side) turnAlone(ctx context.Context, l load, calls []floor.Call) (t turn, err error) {
	if err := s.forget(ctx); err != nil {
		return t, err
	}
	var done int
	start := time.Now()
	for time.Since(start) < time.Duration(*seconds)*time.Second {
		tasks, err := s.rows.CreateMany(ctx, "diamond", l.tasks())
		if err != nil {
			return t, err
		}
		if err := s.rows.Replay(ctx, "diamond", tasks, calls); err != nil {
			return t, err
		}
		done += floor.Steps(calls)
	}
	return s.measured(ctx, exchangesAlone, done, time.Since(start))
}

func (s *side) forget(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, "select public.pg_stat_statements_reset()")
	return err
}

// measured returns the rate, and the buffers of the calls whose text matches the pattern.
func (s *side) measured(ctx context.Context, text string, done int, took time.Duration) (t turn, err error) {
	t.rate, t.steps = float64(done)/took.Seconds(), done
	return t, s.pool.QueryRow(ctx, `
		select sum(s.shared_blks_hit + s.shared_blks_read)::float / $1::integer
		  from public.pg_stat_statements as s
		  join pg_database as d
		    on d.oid = s.dbid
		 where d.datname = current_database()
		   and s.toplevel
		   and s.query like $2`, done, text).Scan(&t.buffers)
}

func each(turns []turn, of func(turn) float64) (values []float64) {
	for _, t := range turns {
		values = append(values, of(t))
	}
	return values
}

func ratios(turns, others []turn, of func(turn) float64) (values []float64) {
	for i, t := range turns {
		values = append(values, of(t)/of(others[i]))
	}
	return values
}

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func spread(values []float64) string {
	return fmt.Sprintf("%.2f (%.2f to %.2f)", middle(values), slices.Min(values), slices.Max(values))
}
