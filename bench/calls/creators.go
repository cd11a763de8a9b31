package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var creatorSeconds = 2500 * time.Millisecond

// compareCreators lets eight connections make tasks of one step, one by one: how many, and how many fsyncs
// a commit takes.
func compareCreators(ctx context.Context, arms []*arm) error {
	if *only != "" {
		return nil
	}
	rates, syncs := make([][]float64, len(arms)), make([][]float64, len(arms))
	for round := range *rounds {
		for turn := range arms {
			i := (turn + round) % len(arms)
			rate, fsyncs, err := create(ctx, arms[i])
			if err != nil {
				return fmt.Errorf("creators, %s: %w", arms[i].name, err)
			}
			rates[i], syncs[i] = append(rates[i], rate), append(syncs[i], fsyncs)
		}
	}
	rows := [][]string{{"8 connections create single-step tasks", "tasks/s", "fsyncs per commit", "rate, ratio"}}
	for i, a := range arms {
		var paired []float64
		for round := range rates[i] {
			paired = append(paired, rates[i][round]/rates[1][round])
		}
		rows = append(rows, []string{
			a.name, fmt.Sprintf("%.0f", median(append([]float64{}, rates[i]...))),
			fmt.Sprintf("%.2f", median(syncs[i])), fmt.Sprintf("%.2f", median(paired)),
		})
	}
	lab.Table(rows)
	return nil
}

func create(ctx context.Context, a *arm) (rate, fsyncs float64, err error) {
	const syncs = "select wal_sync from pg_stat_wal"
	var before, after int64
	if err := a.pool.QueryRow(ctx, syncs).Scan(&before); err != nil {
		return 0, 0, err
	}
	var made atomic.Int64
	start := time.Now()
	group, gctx := errgroup.WithContext(ctx)
	for range 8 {
		group.Go(func() error {
			conn, err := a.pool.Acquire(gctx)
			if err != nil {
				return err
			}
			defer conn.Release()
			for time.Since(start) < creatorSeconds {
				if _, err := conn.Exec(gctx, createTask, "single"); err != nil {
					return err
				}
				made.Add(1)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, 0, err
	}
	took := time.Since(start)
	if _, err := a.pool.Exec(ctx, "select pg_stat_force_next_flush()"); err != nil {
		return 0, 0, err
	}
	if err := a.pool.QueryRow(ctx, syncs).Scan(&after); err != nil {
		return 0, 0, err
	}
	n := float64(made.Load())
	return n / took.Seconds(), float64(after-before) / n, drainAll(ctx, a)
}
