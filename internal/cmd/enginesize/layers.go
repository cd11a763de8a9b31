package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/pgtasker/pgtasker/internal/layers"
)

func printLayers() error {
	graph, err := layers.Read(os.DirFS("db/schema"))
	if err != nil {
		return err
	}
	contents, err := os.ReadFile("db/schema/schema.sql")
	if err != nil {
		return err
	}
	functions, lines, total := map[string]int{}, map[string]int{}, bytes.Count(contents, []byte("\n"))
	for _, object := range graph {
		total += object.Lines
		if object.IsFunction {
			functions[object.Layer()]++
			lines[object.Layer()] += object.Lines
		}
	}
	fmt.Printf("db/schema: %d lines\n", total)
	for _, layer := range []string{"kernel", "doors", "features", "operate", "compat", "tasklib", "pgmq"} {
		fmt.Printf("  %-9s %4d functions, %6d lines\n", layer, functions[layer], lines[layer])
	}
	for _, root := range []string{"exchange_steps", "create_task", "create_tasks", "claim_steps", "complete_steps", "fire_due_timers"} {
		reached, total := graph.Reached(root), 0
		for _, name := range reached {
			total += graph[name].Lines
		}
		fmt.Printf("%s reaches %d functions, %d lines, without passing a door\n", root, len(reached), total)
	}
	for _, circle := range graph.Circles() {
		fmt.Printf("a circle of %d folders, doors cut: %s\n", len(circle), strings.Join(circle, ", "))
	}
	violations := graph.Violations()
	for _, v := range violations {
		fmt.Printf("%s: %s → %s\n", v.Kind, v.Caller, v.Callee)
	}
	fmt.Printf("%d calls break the rule of the layers\n", len(violations))
	return nil
}
