package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
)

const mapTemplate = `{"namespace": "maps", "name": "wide", "identity_strategy": "always_unique", "steps": [
	{"name": "list"}, {"name": "each", "dependencies": ["list"], "for_each": {"step": "list"}}, {"name": "after", "dependencies": ["each"]}]}`

// mapOf measures a map over the result of a step. The map is created, expanded, run in exchanges of 100 steps, and its results
// are collected by the following step.
func mapOf(size int) func(context.Context, *bench) ([]string, error) {
	return func(ctx context.Context, b *bench) ([]string, error) {
		if _, err := b.e.RegisterTaskTemplate(ctx, []byte(mapTemplate)); err != nil {
			return nil, err
		}
		elements := make([]int, size)
		for i := range elements {
			elements[i] = i
		}
		list, err := json.Marshal(elements)
		if err != nil {
			return nil, err
		}
		begin := time.Now()
		if _, err := b.e.CreateTask(ctx, executor.TaskRequest{Namespace: "maps", Name: "wide"}); err != nil {
			return nil, err
		}
		var held []direct.StepResult
		steps, calls := 0, 0
		for done := false; !done; {
			reply, err := b.e.ExchangeSteps(ctx, direct.Exchange{
				Results: held, ClaimRequest: direct.ClaimRequest{WorkerUUID: b.worker, Limit: 100, Namespaces: []string{"maps"}},
			})
			if err != nil {
				return nil, err
			}
			calls++
			done = len(held) > 0 && len(reply.Claimed) == 0
			held = nil
			for _, c := range reply.Claimed {
				result := direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}, Results: json.RawMessage("1")}
				if c.Name == "list" {
					result.Results = list
				}
				held = append(held, result)
			}
			steps += len(held)
		}
		took := time.Since(begin)
		if steps != size+2 {
			return nil, fmt.Errorf("a map of %d ran %d steps", size, steps)
		}
		return []string{
			"map of " + strconv.Itoa(size), "1", strconv.Itoa(steps), fmt.Sprintf("%.1f", took.Seconds()),
			fmt.Sprintf("%.0f an element", float64(took.Microseconds())/float64(size)), strconv.Itoa(calls),
		}, nil
	}
}
