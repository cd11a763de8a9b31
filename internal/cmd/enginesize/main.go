// Command enginesize prints the size of the tree's SQL engine: functions and lines by layer, and the number of functions that a call
// reaches without passing a door. It also prints calls that break the rule of internal/layers, circles of folders, and the functions that
// state each rule that must stand in one place.
//
//	go run ./internal/cmd/enginesize
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pgtasker/pgtasker/internal/layers"
)

// rules are the counted rules. A function states a rule if its body matches. Comment lines do not count.
var rules = []struct {
	name    string
	matches *regexp.Regexp
}{
	{"write a step's state", regexp.MustCompile(`(?s)update tasker\.workflow_steps as \w+\s+set\s+(?:(?:[^;]*?,)\s+)?state\s+=`)},
	{"decide whether a task halts", regexp.MustCompile(`= 'halt'|\.halts\b`)},
	{"decide between another attempt and failure", regexp.MustCompile(`attempts\s*(?:<|>=)\s*[\w.]*max_attempts`)},
	{"compute a backoff", regexp.MustCompile(`multiplier\s*\^`)},
}

func main() {
	if err := printSize(os.DirFS("db/schema")); err != nil {
		fmt.Fprintln(os.Stderr, "enginesize:", err)
		os.Exit(1)
	}
}

func printSize(schema fs.FS) error {
	graph, err := layers.Read(schema)
	if err != nil {
		return err
	}
	contents, err := fs.ReadFile(schema, "schema.sql")
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
	all, err := readBodies(schema)
	for _, rule := range rules {
		found := all.matching(rule.matches)
		fmt.Printf("%s: %d: %s\n", rule.name, len(found), strings.Join(found, ", "))
	}
	return err
}

var (
	created  = regexp.MustCompile(`create or replace (?:function|procedure) tasker\.(\w+)\s*\(`)
	comments = regexp.MustCompile(`(?m)--.*$`)
	written  = regexp.MustCompile(`(?s)comment on function.*`)
)

// bodies are the definitions of functions by name, without comments.
type bodies map[string]string

func readBodies(schema fs.FS) (bodies, error) {
	all := bodies{}
	return all, fs.WalkDir(schema, "functions", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".sql" {
			return err
		}
		text, err := fs.ReadFile(schema, file)
		if name := created.FindSubmatch(text); name != nil {
			all[string(name[1])] += comments.ReplaceAllString(written.ReplaceAllString(string(text), ""), "")
		}
		return err
	})
}

// matching returns the names of the functions whose body matches, sorted.
func (b bodies) matching(expression *regexp.Regexp) (names []string) {
	for name, body := range b {
		if expression.MatchString(body) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
