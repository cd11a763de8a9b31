// Command mutate tries the tests of the SQL engine: it changes one thing in one function, runs the tests that touch
// the function, and lists the changes that none of them notices. It is run from the repository's root, by make:
//
//	mutate [-n 200] [-seed 1] [-from 1] [-j 2] [-files 100] [-folders wait/*,…] [-rooms claim,result,…] [-go ./internal/tests/modeltest,…]
//
// For each change the pgTAP files of the function and its callers run, the nearest first, until one is red that is
// green without the change; if none is, the Go packages named by -go follow. A change that PostgreSQL refuses to load
// is passed over. A line is printed for each change as soon as it is tried. The same seed picks the same changes of the
// same sources, so -from goes on where an earlier run ended.
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
	reach    = flag.Int("files", 0, "how many pgTAP files are tried for a change, 0 for all that reach it")
	folders  = flag.String("folders", "", "folders below pgtap that are tried instead of those that reach a change")
	seed     = flag.Uint64("seed", 1, "which ones: the same number picks the same changes of the same files")
	rooms    = flag.String("rooms", "claim,result,evaluate,move,timer,transition,operate,lock,create,wait,child,map,undo,limit,keep", "the rooms that are changed")
	packages = flag.String("go", "./internal/tests/racetest,./internal/tests/modeltest", "Go packages that try what pgTAP did not notice")
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
}

func run(ctx context.Context, out io.Writer) (survivors int, err error) {
	root, err := checkout.Root()
	if err != nil {
		return 0, err
	}
	tree, err := mutate.ReadTree(root)
	if err != nil {
		return 0, err
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
	candidates := pick(tree)
	for i, c := range candidates[min(len(candidates), *from-1):] {
		if noticed+survivors == *count || ctx.Err() != nil {
			break
		}
		start := time.Now()
		verdict, err := l.try(ctx, c)
		if err != nil {
			return 0, fmt.Errorf("%s, %s: %w", c.function, c, err)
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
		_, _ = fmt.Fprintf(out, "%4d  %5.1fs  %s, %s\n      %s\n", *from+i, time.Since(start).Seconds(), c.function, c, verdict)
	}
	_, _ = fmt.Fprintf(out, "\n%d changes noticed, %d survived, %d more did not load\n", noticed, survivors, invalid)
	return survivors, ctx.Err()
}

// pick returns the mutations of the chosen rooms in random order.
func pick(tree mutate.Tree) (candidates []candidate) {
	chosen := strings.Split(*rooms, ",")
	for name, function := range tree {
		if slices.Contains(chosen, function.Room()) {
			for _, mutation := range mutate.Of(function.Text) {
				candidates = append(candidates, candidate{name, mutation})
			}
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return strings.Compare(fmt.Sprintf("%s %05d %s", a.function, a.Line, a.New), fmt.Sprintf("%s %05d %s", b.function, b.Line, b.New))
	})
	random := rand.New(rand.NewPCG(*seed, 0))
	random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	return candidates
}
