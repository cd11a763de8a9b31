package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// expansion measures how a map of 20,000 elements gets its instances. The argument `claim` is the number of steps in a claim.
// Claims start the instances in batches. If `claim` is 0, an orchestrator starts the instances.
func expansion(claim int) func(context.Context, *bench) ([]string, error) {
	return func(ctx context.Context, b *bench) ([]string, error) {
		const elements = 20_000
		for _, template := range []string{
			`{"namespace": "expansion", "name": "wide", "identity_strategy": "always_unique", "steps": [{"name": "each", "for_each": "$.lines"}]}`,
			`{"namespace": "others", "name": "plain", "identity_strategy": "always_unique", "steps": [{"name": "work"}]}`,
		} {
			if _, err := b.e.RegisterTaskTemplate(ctx, []byte(template)); err != nil {
				return nil, err
			}
		}
		lines, err := json.Marshal(map[string]any{"lines": make([]int, elements)})
		if err != nil {
			return nil, err
		}
		task, err := b.e.CreateTask(ctx, executor.TaskRequest{Namespace: "expansion", Name: "wide", Context: lines})
		if err != nil {
			return nil, err
		}
		began, calls := time.Now(), 0
		for due := 1; due > 0; calls++ {
			if claim == 0 {
				_, err = b.e.FireDueTimers(ctx, 100)
			} else {
				_, err = b.e.ClaimSteps(ctx, direct.ClaimRequest{WorkerUUID: uuid.Nil, Limit: claim, Namespaces: []string{"others"}})
			}
			if err != nil {
				return nil, err
			}
			if err := b.pool.QueryRow(ctx, "select count(*) from tasker.timers as m where m.kind = 'expand_map'").Scan(&due); err != nil {
				return nil, err
			}
		}
		took := time.Since(began)
		if _, err := b.e.CancelTask(ctx, task.TaskUUID, "", ""); err != nil {
			return nil, err
		}
		by := "orchestrators"
		if claim > 0 {
			by = fmt.Sprintf("claims of %d", claim)
		}
		return []string{
			"expansion of " + strconv.Itoa(elements) + " by " + by, "1", strconv.Itoa(elements), fmt.Sprintf("%.1f", took.Seconds()),
			fmt.Sprintf("%.0f an element", float64(took.Microseconds())/elements), strconv.Itoa(calls),
		}, nil
	}
}
