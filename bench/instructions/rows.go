package main

import (
	_ "embed"
	"strings"
)

// drivers are the templates, and the procedures that make the calls, in schema driver.
//
//go:embed drivers.sql
var drivers string

// row is one kind of call. fill prepares its database, and call is counted. The called procedure warms the session, and
// reports the number of units (steps, tasks) that it did between the markers.
type row struct {
	name       string
	partitions bool // runs in the database with many partitions
	fill, call string
}

// rows are the rows of bench/calls, and more rows that the goals name.
var rows = []row{
	{name: "create_task, one step", call: "create('single', 20, 80)"},
	{name: "create_task, diamond", call: "create('diamond', 20, 80)"},
	{name: "create_tasks of 100, one step, a task", call: "create_many('single', 100, 4, 8)"},
	{name: "create_tasks of 100, diamond, a task", call: "create_many('diamond', 100, 2, 4)"},
	{name: "create_task, one step, 36 partitions", partitions: true, call: "create('single', 20, 80)"},
	{name: "exchange that finds nothing", call: "poll(20, 80)"},
	{name: "exchange of 1, one step", fill: "fill('single', 120)", call: "exchange(1, 20, 80)"},
	{name: "exchange of 10, one step, a step", fill: "fill('single', 400)", call: "exchange(10, 8, 24)"},
	{name: "exchange of 100, one step, a step", fill: "fill('single', 1400)", call: "exchange(100, 4, 8)"},
	{name: "exchange of 1, diamond, a step", fill: "fill('diamond', 30)", call: "exchange(1, 40, 120)"},
	{name: "exchange of 10, diamond, a step", fill: "fill('diamond', 80)", call: "exchange(10, 10, 30)"},
	{name: "exchange of 100, diamond, a step", fill: "fill('diamond', 250)", call: "exchange(100, 4, 10)"},
	{name: "exchange of 1, chain, a step", fill: "fill('chain', 40)", call: "exchange(1, 40, 100)"},
	{name: "exchange of 1, one limited step", fill: "fill('limited', 120)", call: "exchange(1, 20, 80)"},
	{name: "exchange of 100, one limited step, a step", fill: "fill('limited', 1400)", call: "exchange(100, 4, 8)"},
	{name: "exchange of 1, one step, 36 partitions", partitions: true, fill: "fill('single', 120)", call: "exchange(1, 20, 80)"},
	{name: "start_task and complete_steps, one step", call: "start('single', 20, 80)"},
	{name: "start_task and complete_steps, chain", call: "start('chain', 10, 40)"},
	{name: "emit_event, 1 in a transaction", call: "emit(1, 20, 160)"},
	{name: "emit_event, 8 in a transaction, an event", call: "emit(8, 4, 20)"},
	{name: "emit_event, 64 in a transaction, an event", call: "emit(64, 2, 5)"},
	{name: "emit_events of 1", call: "emit_many(1, 20, 160)"},
	{name: "emit_events of 100, an event", call: "emit_many(100, 4, 8)"},
	{name: "send_signal, 1 in a transaction", fill: "fill('waiting', 180)", call: "signal(1, 20, 160)"},
	{name: "send_signal, 8 in a transaction, a signal", fill: "fill('waiting', 192)", call: "signal(8, 4, 20)"},
	{name: "send_signal, 64 in a transaction, a signal", fill: "fill('waiting', 448)", call: "signal(64, 2, 5)"},
	{name: "create_task, two attributes", call: "create('attributed', 20, 80)"},
	{name: "create_task, two attributes, 36 partitions", partitions: true, call: "create('attributed', 20, 80)"},
	{name: "create_tasks of 100, two attributes, a task", call: "create_many('attributed', 100, 4, 8)"},
	{name: "stream: append_items of 1 line", call: "stream('append', 1, 20, 80)"},
	{name: "stream: append_items of 100 lines, a line", call: "stream('append', 100, 4, 16)"},
	{name: "stream: set_value", call: "stream('value', 1, 20, 80)"},
	{name: "stream: a poll of read_stream that finds nothing", call: "stream('poll', 1, 20, 80)"},
	{name: "stream: read_stream of 100 lines, a line", call: "stream('read', 100, 4, 16)"},
	{name: "stream: list_progress of a task", call: "stream('progress', 1, 20, 80)"},
	{name: "create_task, one step, runs by key, with a place", call: "create('apart', 20, 80)"},
	{name: "create_task, one step, runs by key, in line", call: "create('keyed', 20, 80)"},
	{name: "exchange of 1, one step, runs by key, no task waits", fill: "fill('apart', 120)", call: "exchange(1, 20, 80)"},
	{name: "exchange of 1, one step, runs by key, lets the next task in", fill: "fill('keyed', 120)", call: "exchange(1, 20, 80)"},
	{name: "map of 100 in exchanges of 10, an element", call: "map('elements', 10, 100)"},
	{name: "map of 100 tasks in exchanges of 10, an element", call: "map('children', 10, 100)"},
	{name: "erase_task, one step", call: "erase('single', 10, 40)"},
	{name: "erase_task, one step, 36 partitions", partitions: true, call: "erase('single', 10, 20)"},
}

// chooseRows returns the row of this name, or all rows whose name contains the text.
func chooseRows(text string) (chosen []row) {
	for _, r := range rows {
		if r.name == text {
			return []row{r}
		}
		if strings.Contains(r.name, text) {
			chosen = append(chosen, r)
		}
	}
	return chosen
}
