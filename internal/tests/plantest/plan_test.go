package plantest_test

import (
	"fmt"
	"regexp"
	"strings"
)

// plan is one statement as auto_explain reports it.
type plan struct {
	Query string `json:"Query Text"`
	Root  node   `json:"Plan"`
}

type node struct {
	Type      string  `json:"Node Type"`
	Relation  string  `json:"Relation Name"`
	Index     string  `json:"Index Name"`
	IndexCond string  `json:"Index Cond"`
	Cost      float64 `json:"Total Cost"`
	Disabled  bool    `json:"Disabled"` // since PostgreSQL 18, instead of a cost of 1e10
	Plans     []node  `json:"Plans"`

	// auto_explain reports these fields when it analyzes. Rows are the mean of the loops.
	Loops          float64 `json:"Actual Loops"`
	Rows           float64 `json:"Actual Rows"`
	Filtered       float64 `json:"Rows Removed by Filter"`
	FilteredByJoin float64 `json:"Rows Removed by Join Filter"`
}

// seen returns the number of rows that went through the node, including rows that the node filtered out.
func (n node) seen() float64 { return n.Loops * (n.Rows + n.Filtered + n.FilteredByJoin) }

// disableCost is the cost that the planner adds for a node whose kind is disabled.
const disableCost = 1e10

// runTable matches the tables that grow with the work: run tables, with their partitions, and queues.
var runTable = regexp.MustCompile(`^(?:tasks|workflow_steps|added_step_edges|task_log` +
	`|step_log)(?:_p?\d.*)?$` +
	`|^(?:step_queue|timers|waiting_tasks|task_identities|workers|limit_keys|limit_lines|limit_notes)$`)

// flaws returns the parts of a plan whose cost grows with a table. Statements that touch no run table have no flaws.
func (p plan) flaws() []string {
	if !p.Root.any(func(n node) bool { return runTable.MatchString(n.Relation) }) {
		return nil
	}
	return p.Root.flaws(node{})
}

func (n node) flaws(parent node) (flaws []string) {
	if flaw := n.flaw(parent); flaw != "" {
		flaws = append(flaws, flaw)
	}
	for _, child := range n.Plans {
		flaws = append(flaws, child.flaws(n)...)
	}
	return flaws
}

func (n node) flaw(parent node) string {
	switch {
	case n.Type == "Seq Scan" && runTable.MatchString(n.Relation):
		return "sequential scan of " + n.Relation
	case n.Type == "Merge Join" || n.Type == "Hash Join" && n.any(func(n node) bool { return runTable.MatchString(n.Relation) }):
		return strings.ToLower(n.Type)
	case n.Cost >= disableCost || n.Disabled:
		return fmt.Sprintf("%s is switched off, and was planned", n.Type)
	case strings.HasPrefix(n.Type, "Index") && n.IndexCond == "" && runTable.MatchString(n.Relation) &&
		parent.Type != "Limit": // the first row of an order, as for min()
		return fmt.Sprintf("%s is read from end to end", n.Index)
	}
	return ""
}

// any reports whether found returns true for the node or for a node below it.
func (n node) any(found func(node) bool) bool {
	if found(n) {
		return true
	}
	for _, child := range n.Plans {
		if child.any(found) {
			return true
		}
	}
	return false
}
