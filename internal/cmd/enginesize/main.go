// Command enginesize counts the SQL functions of a commit: how many there are, their lines, which of them state a
// rule that should be stated once, and the longest chain of calls from those that workers call. With -layers it prints what the
// layers of internal/layers say of the tree as it is: calls that break their rule, circles of folders, and how much calls reach.
//
//	go run ./internal/cmd/enginesize 3e5675c HEAD
//	go run ./internal/cmd/enginesize -layers
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

// rules are what is counted: functions whose body matches. Lines of comments do not count.
var rules = []struct {
	name    string
	matches *regexp.Regexp
}{
	{"write a step's state", regexp.MustCompile(`(?s)update tasker\.workflow_steps as \w+\s+set\s+(?:(?:[^;]*?,)\s+)?state\s+=`)},
	{"decide whether a task halts", regexp.MustCompile(`= 'halt'|\.halts\b`)},
	{"decide between another attempt and failure", regexp.MustCompile(`attempts\s*(?:<|>=)\s*[\w.]*max_attempts`)},
	{"compute a backoff", regexp.MustCompile(`multiplier\s*\^`)},
}

// roots are the functions that workers and creators call most.
var roots = []string{"exchange_steps", "claim_steps", "complete_steps", "fail_steps", "create_task", "create_tasks", "start_task"}

func main() {
	for _, commit := range os.Args[1:] {
		report := count
		if commit == "-layers" {
			report = func(string) error { return printLayers() }
		}
		if err := report(commit); err != nil {
			fmt.Fprintln(os.Stderr, "enginesize:", err)
			os.Exit(1)
		}
	}
}

var (
	created  = regexp.MustCompile(`create or replace (?:function|procedure) tasker\.(\w+)\s*\(`)
	called   = regexp.MustCompile(`\btasker\.(\w+)\s*\(`)
	comments = regexp.MustCompile(`(?m)--.*$`)
	texts    = regexp.MustCompile(`'[^']*'`)
	written  = regexp.MustCompile(`(?s)comment on function.*`)
)

func count(commit string) error {
	names, err := git("ls-tree", "-r", "--name-only", commit, "db/schema/functions")
	if err != nil {
		return err
	}
	all := functions{bodies: map[string]string{}, lines: map[string]int{}}
	for file := range strings.FieldsSeq(names) {
		if path.Ext(file) != ".sql" {
			continue
		}
		text, err := git("show", commit+":"+file)
		if err != nil {
			return err
		}
		all.add(text)
	}
	bodies, lines := all.bodies, all.lines
	total := 0
	for _, n := range lines {
		total += n
	}
	fmt.Printf("%s: %d functions, %d lines\n", commit, len(bodies), total)

	// Depth first. A chain does not pass a function twice.
	reached := map[string]bool{}
	var longest []string
	var walk func(chain []string)
	walk = func(chain []string) {
		name := chain[len(chain)-1]
		reached[name] = true
		if len(chain) > len(longest) {
			longest = slices.Clone(chain)
		}
		next := map[string]bool{}
		for _, call := range called.FindAllStringSubmatch(texts.ReplaceAllString(bodies[name], "''"), -1) {
			if bodies[call[1]] != "" && !next[call[1]] && !slices.Contains(chain, call[1]) {
				next[call[1]] = true
				walk(append(chain, call[1]))
			}
		}
	}
	for _, root := range roots {
		if bodies[root] != "" {
			walk([]string{root})
		}
	}
	total = 0
	for name := range reached {
		total += lines[name]
	}
	fmt.Printf("  reached from %s: %d functions, %d lines\n", strings.Join(roots, ", "), len(reached), total)
	fmt.Printf("  longest chain of calls, %d: %s\n", len(longest), strings.Join(longest, " → "))
	for _, rule := range rules {
		found := all.matching(rule.matches)
		fmt.Printf("  %s: %d: %s\n", rule.name, len(found), strings.Join(found, ", "))
	}
	return nil
}

// functions are bodies, without comments, and numbers of lines by the function's name.
type functions struct {
	bodies map[string]string
	lines  map[string]int
}

// add adds the function of a file, if it has one.
func (f functions) add(text string) {
	if name := created.FindStringSubmatch(text); name != nil {
		f.lines[name[1]] += strings.Count(text, "\n")
		f.bodies[name[1]] += comments.ReplaceAllString(written.ReplaceAllString(text, ""), "")
	}
}

// matching returns the names of the functions whose body matches, sorted.
func (f functions) matching(expression *regexp.Regexp) (names []string) {
	for name, body := range f.bodies {
		if expression.MatchString(body) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func git(args ...string) (string, error) {
	var failure bytes.Buffer
	command := exec.CommandContext(context.Background(), "git", args...)
	command.Stderr = &failure
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, failure.String())
	}
	return string(out), nil
}
