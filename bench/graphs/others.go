package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// others measures exchanges of steps of tasks that have one step: alone, and while another session expands a map of 60,000
// elements. Each exchange hands in one result and claims one step. A claim also does due work, so some of the exchanges expand
// a batch themselves.
func others(ctx context.Context, b *bench) ([]string, error) {
	const elements, tasks = 60_000, 20_000
	for _, template := range []string{
		mapTemplate, `{"namespace": "others", "name": "plain", "identity_strategy": "always_unique", "steps": [{"name": "work"}]}`,
	} {
		if _, err := b.e.RegisterTaskTemplate(ctx, []byte(template)); err != nil {
			return nil, err
		}
	}
	if _, err := b.e.CreateTasks(ctx, executor.TasksRequest{Namespace: "others", Name: "plain", Contexts: make([]json.RawMessage, tasks)}); err != nil {
		return nil, err
	}
	worker, held := uuid.New(), []direct.StepResult(nil)
	exchange := func() (time.Duration, error) {
		began := time.Now()
		reply, err := b.e.ExchangeSteps(ctx, direct.Exchange{
			Results: held, ClaimRequest: direct.ClaimRequest{WorkerUUID: worker, Limit: 1, Namespaces: []string{"others"}},
		})
		if err != nil {
			return 0, err
		}
		if len(reply.Claimed) == 0 {
			return 0, fmt.Errorf("there is nothing left to do for others")
		}
		c := reply.Claimed[0]
		held = []direct.StepResult{{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}}}
		return time.Since(began), nil
	}
	var alone, beside []time.Duration
	for range 2_000 {
		took, err := exchange()
		if err != nil {
			return nil, err
		}
		alone = append(alone, took)
	}

	list, err := json.Marshal(make([]int, elements))
	if err != nil {
		return nil, err
	}
	if _, err := b.e.CreateTask(ctx, executor.TaskRequest{Namespace: "maps", Name: "wide"}); err != nil {
		return nil, err
	}
	claimed, err := b.e.ClaimSteps(ctx, direct.ClaimRequest{WorkerUUID: b.worker, Limit: 1, Namespaces: []string{"maps"}})
	if err != nil {
		return nil, err
	}
	if _, err := b.e.CompleteSteps(ctx, []direct.StepResult{{
		StepClaim: direct.StepClaim{StepUUID: claimed[0].StepUUID, ClaimNo: claimed[0].ClaimNo}, Results: list,
	}}); err != nil {
		return nil, err
	}
	began := time.Now()
	expanded := make(chan error, 1)
	go func() {
		for {
			due := 0
			if _, err := b.e.FireDueTimers(ctx, 10); err != nil {
				expanded <- err
				return
			}
			if err := b.pool.QueryRow(ctx, "select count(*) from tasker.timers as m where m.kind = 'expand_map'").Scan(&due); err != nil || due == 0 {
				expanded <- err
				return
			}
		}
	}()
	for {
		select {
		case err := <-expanded:
			if err != nil {
				return nil, err
			}
			return []string{
				fmt.Sprintf("others: p50/p95/p99 %s, beside the expansion of %d %s", spread(alone), elements, spread(beside)),
				"", fmt.Sprint(len(beside)), fmt.Sprintf("%.1f", time.Since(began).Seconds()), "", "",
			}, nil
		default:
			took, err := exchange()
			if err != nil {
				return nil, err
			}
			beside = append(beside, took)
		}
	}
}

// spread formats p50, p95 and p99 in milliseconds.
func spread(durations []time.Duration) string {
	slices.Sort(durations)
	at := func(share float64) float64 {
		if len(durations) == 0 {
			return 0
		}
		return float64(durations[int(share*float64(len(durations)-1))].Microseconds()) / 1000
	}
	return fmt.Sprintf("%.1f/%.1f/%.1f ms", at(0.5), at(0.95), at(0.99))
}
