package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// side is a database with or without a history.
type side struct {
	name  string
	pool  *pgxpool.Pool
	turns map[load][]turn
}

// turn is what one turn of a load measured: steps a second, and the buffers that the exchanges read for a step.
type turn struct{ rate, buffers float64 }

// compareBehind measures the engine in a database with many finished tasks and many steps that wait, in turns
// with one that has neither, and with another one that has neither, which is the noise.
func compareBehind(ctx context.Context, server *lab.Server) error {
	sides := []*side{{name: fmt.Sprintf("%d finished, %d waiting", *behind, *behind/2)}, {name: "nothing"}, {name: "nothing, again"}}
	for _, s := range sides {
		var err error
		if s.pool, err = open(ctx, server); err != nil {
			return err
		}
		s.turns = map[load][]turn{}
		if _, err := s.pool.Exec(ctx, "create extension if not exists pg_stat_statements schema public"); err != nil {
			return err
		}
	}
	if err := fill(ctx, sides[0].pool, *behind); err != nil {
		return err
	}
	// All begin with statistics of the state that they are in, and no vacuum is due.
	for _, s := range sides {
		if _, err := s.pool.Exec(ctx, "vacuum analyze"); err != nil {
			return err
		}
	}
	if _, err := sides[0].pool.Exec(ctx, "checkpoint"); err != nil {
		return err
	}
	loads := []load{{"diamond", 2, 100}, {"diamond", 1, 1}}
	for round := range *rounds + 1 {
		for i := range sides {
			s := sides[(i+round)%len(sides)]
			for _, l := range loads {
				t, err := s.turn(ctx, l)
				if err != nil {
					return fmt.Errorf("%s, %+v: %w", s.name, l, err)
				}
				if round > 0 { // the first one warms up
					s.turns[l] = append(s.turns[l], t)
				}
			}
		}
	}

	rows := [][]string{{"tables", "connections", "steps a call", "steps/s", "rate, ratio", "buffers a step", "ratio"}}
	rate, buffers := func(t turn) float64 { return t.rate }, func(t turn) float64 { return t.buffers }
	for _, l := range loads {
		for _, s := range sides {
			rows = append(rows, []string{
				s.name, fmt.Sprint(l.connections), fmt.Sprint(l.batch),
				fmt.Sprintf("%.0f", middle(s.each(l, rate))), spread(s.ratios(sides[1], l, rate)),
				fmt.Sprintf("%.0f", middle(s.each(l, buffers))), spread(s.ratios(sides[1], l, buffers)),
			})
		}
		full, empty, again := sides[0], sides[1], sides[2]
		what := fmt.Sprintf("%s, exchange of %d", full.name, l.batch)
		if err := lab.Goal(what+": rate against a database without", "0.9", fmt.Sprintf("%.2f (%.0f and %.0f steps a second)",
			middle(full.ratios(empty, l, rate)), middle(full.each(l, rate)), middle(empty.each(l, rate))), spread(again.ratios(empty, l, rate))); err != nil {
			return err
		}
		if err := lab.Goal(what+": buffers a step against a database without", "1.1", fmt.Sprintf("%.2f (%.0f and %.0f)",
			middle(full.ratios(empty, l, buffers)), middle(full.each(l, buffers)), middle(empty.each(l, buffers))), spread(again.ratios(empty, l, buffers))); err != nil {
			return err
		}
	}
	lab.Table(rows)
	return nil
}

// turn makes and drains diamonds for a while.
func (s *side) turn(ctx context.Context, l load) (t turn, err error) {
	if _, err := s.pool.Exec(ctx, "select public.pg_stat_statements_reset()"); err != nil {
		return t, err
	}
	var done int
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
		if e := <-errs; e != nil {
			err = e
		}
	}
	if err != nil {
		return t, err
	}
	took := time.Since(start)
	for _, n := range steps {
		done += n
	}
	t.rate = float64(done) / took.Seconds()
	return t, s.pool.QueryRow(ctx, `
		select sum(s.shared_blks_hit + s.shared_blks_read)::float / $1::integer
		  from public.pg_stat_statements as s
		  join pg_database as d
		    on d.oid = s.dbid
		 where d.datname = current_database()
		   and s.toplevel
		   and s.query like '%exchange_steps%'`, done).Scan(&t.buffers)
}

func (s *side) each(l load, of func(turn) float64) (values []float64) {
	for _, t := range s.turns[l] {
		values = append(values, of(t))
	}
	return values
}

func (s *side) ratios(other *side, l load, of func(turn) float64) (values []float64) {
	for i, t := range s.turns[l] {
		values = append(values, of(t)/of(other.turns[l][i]))
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
