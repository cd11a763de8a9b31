package main

import (
	"context"
	"encoding/json"
	"fmt"
)

type step struct {
	Name string         `json:"name"`
	Task map[string]any `json:"task,omitempty"`
}

func (b *bench) register(ctx context.Context, name string, steps ...step) error {
	raw, err := json.Marshal(map[string]any{"namespace": "bench", "name": name, "identity_strategy": "always_unique", "steps": steps})
	if err != nil {
		return err
	}
	_, err = b.e.RegisterTaskTemplate(ctx, raw)
	return err
}

// tree measures a task that starts `width` tasks. Each of these tasks starts `width` tasks of one step.
func tree(ctx context.Context, b *bench) ([]string, error) {
	if err := b.register(ctx, "leaf", step{Name: "work"}); err != nil {
		return nil, err
	}
	below := "leaf"
	for _, name := range []string{"branch", "trunk"} {
		var steps []step
		for i := range *width {
			steps = append(steps, step{Name: fmt.Sprintf("s%d", i), Task: map[string]any{"name": below}})
		}
		if err := b.register(ctx, name, steps...); err != nil {
			return nil, err
		}
		below = name
	}
	return b.run(ctx, fmt.Sprintf("tree of %d × %d", *width, *width), "trunk")
}

// chain measures a chain of tasks, each of which starts the next task. The last task has one step.
func chain(ctx context.Context, b *bench) ([]string, error) {
	for i := range *depth {
		if err := b.register(ctx, fmt.Sprintf("link%d", i), step{Name: "next", Task: map[string]any{"name": fmt.Sprintf("link%d", i+1)}}); err != nil {
			return nil, err
		}
	}
	if err := b.register(ctx, fmt.Sprintf("link%d", *depth), step{Name: "work"}); err != nil {
		return nil, err
	}
	return b.run(ctx, fmt.Sprintf("depth of %d", *depth), "link0")
}
