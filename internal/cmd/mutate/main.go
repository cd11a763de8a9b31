// Command mutate tries the tests of the SQL engine: it changes one thing in one function, runs the tests that touch
// the function, and lists the changes that none of them notices. It is run from the repository's root, by make:
//
//	mutate [-n 200] [-seed 1] [-from 1] [-except earlier.txt,…] [-only 'claim, line 40'] [-list] [-j 2] [-files 100] [-folders wait/*,…]
//	       [-rooms kernel/claim,kernel/result,…] [-go ./internal/tests/modeltest=CallByCall,…]
//
// For each change the command runs the pgTAP files that call the function, the nearest and fastest first. It stops at a file that is red
// with the change and green without. The first run of a file records the functions that the file calls. The record is kept in .cache until
// the engine changes. A file without a record runs if it belongs to the function or to a caller. If no file is red, the Go tests named by
// -go follow. For a lock clause they precede pgTAP. The command skips a change that PostgreSQL refuses to load, and the changes in
// internal/mutate/equivalent.txt, which make no difference.
//
// A line is printed for each change as soon as it is tried. The same seed picks the same changes of the same sources, so -from goes on
// where an earlier run ended. -except leaves out the changes that earlier outputs list, even if the sources have changed since. -only
// tries again the changes whose line has these words. -list tries no change.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/mutate"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

var (
	count    = flag.Int("n", 200, "how many changes are tried")
	from     = flag.Int("from", 1, "the first of the seed's changes that is tried")
	jobs     = flag.Int("j", 2, "how many pgTAP files run at once")
	reach    = flag.Int("files", 0, "how many pgTAP files are tried for a change, 0 for all that call the function")
	folders  = flag.String("folders", "", "folders below pgtap whose files alone are tried")
	seed     = flag.Uint64("seed", 1, "which ones: the same number picks the same changes of the same files")
	rooms    = flag.String("rooms", "kernel/claim,kernel/result,kernel/move,kernel/timer,kernel/state,kernel/suspend,kernel/lock,kernel/create,features/waits,features/children,features/maps,features/undo,features/limits,features/durable,operate/operators,compat/transitions,compat/orchestrator", "the rooms that are changed")
	except   = flag.String("except", "", "outputs of earlier runs, whose changes are not tried again")
	list     = flag.Bool("list", false, "print the changes and try none")
	only     = flag.String("only", "", "words that a change's line must have")
	packages = flag.String("go", "./internal/tests/modeltest=CallByCall,./internal/tests/racetest",
		"Go packages, each with a pattern for its tests, that try what pgTAP did not notice")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	survivors, err := run(ctx, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
	if survivors > *count/20 {
		os.Exit(1)
	}
}

// candidate is a mutation of a function.
type candidate struct {
	function string
	mutate.Mutation
	sql string // that loads it
}

func (c candidate) String() string { return c.function + ", " + c.Mutation.String() }

func run(ctx context.Context, out io.Writer) (survivors int, err error) {
	root, err := checkout.Root()
	if err != nil {
		return 0, err
	}
	tree, err := mutate.ReadTree(root)
	if err != nil {
		return 0, err
	}
	candidates, err := pick(root, tree)
	if err != nil {
		return 0, err
	}
	candidates = candidates[min(len(candidates), *from-1):]
	if *list {
		for i, c := range candidates[:min(len(candidates), *count)] {
			_, _ = fmt.Fprintf(out, "%4d  %s\n", *from+i, c)
		}
		return 0, nil
	}
	session, err := pgdatabase.Start(ctx, os.Stderr)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, session.Stop()) }()
	l, err := newLaboratory(ctx, root, tree, session)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.close()) }()

	var noticed, invalid int
	for i, c := range candidates {
		if noticed+survivors == *count || ctx.Err() != nil {
			break
		}
		start := time.Now()
		verdict, err := l.try(ctx, c)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", c, err)
		}
		switch verdict {
		case "":
			survivors++
			verdict = "SURVIVED"
		case invalidChange:
			invalid++
			continue
		default:
			noticed++
		}
		_, _ = fmt.Fprintf(out, "%4d  %5.1fs  %s\n      %s\n", *from+i, time.Since(start).Seconds(), c, verdict)
	}
	_, _ = fmt.Fprintf(out, "\n%d changes noticed, %d survived, %d more did not load\n", noticed, survivors, invalid)
	return survivors, ctx.Err()
}

// pick returns the mutations of the chosen rooms in random order.
func pick(root string, tree mutate.Tree) (candidates []candidate, err error) {
	equivalent, err := mutate.ReadEquivalent(root)
	if err != nil {
		return nil, err
	}
	tried := map[string]bool{}
	for path := range strings.SplitSeq(*except, ",") {
		if path == "" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, line := range printed.FindAllStringSubmatch(string(text), -1) {
			tried[strings.TrimSpace(line[1]+line[2])] = true
		}
	}
	chosen := strings.Split(*rooms, ",")
	for name, function := range tree {
		if !slices.Contains(chosen, function.Room()) {
			continue
		}
		for _, mutation := range mutate.Of(function.Text) {
			candidates = append(candidates, candidate{function: name, Mutation: mutation})
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return strings.Compare(fmt.Sprintf("%s %05d %s", a.function, a.Line, a.New), fmt.Sprintf("%s %05d %s", b.function, b.Line, b.New))
	})
	random := rand.New(rand.NewPCG(*seed, 0))
	random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	return slices.DeleteFunc(candidates, func(c candidate) bool {
		key := c.Key(c.function)
		return tried[key] || equivalent[key] != "" && *only == "" || !strings.Contains(c.String(), *only)
	}), nil
}

// A line of the output, without its number, its time and the number of the function's line.
var printed = regexp.MustCompile(`(?m)^ *\d+ +[\d.]+s  (\w+), line \d+(, .*)$`)
