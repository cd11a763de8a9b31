// Command worker compares the worker library with River's worker and with DBOS Transact, on one server:
//
//	make bench-worker
//
// It measures the drain of jobs and of diamonds, the time from creation to end of one step and of a chain of five steps on an
// idle worker, and the cost of an idle worker. Each library has a database of its own and takes its turn in each round, so that
// other work on the machine slows all libraries. Besides the rates it prints figures that depend less on the machine: CPU time
// and statements for each job.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var (
	rounds      = flag.Int("rounds", 3, "turns of each library; tables show the median turn")
	jobs        = flag.Int("jobs", 20000, "jobs to drain; DBOS does a tenth")
	diamonds    = flag.Int("diamonds", 2000, "diamonds to drain; DBOS does a quarter")
	chains      = flag.Int("chains", 100, "tasks whose latency is measured in each turn, of each kind")
	idle        = flag.Duration("idle", 10*time.Second, "how long an idle worker is watched")
	only        = flag.String("only", "ours,here,river,dbos,dbos-queue", "run only these, separated by commas: ours, ours again, default, here, river, dbos, dbos-queue")
	concurrency = flag.Int("concurrency", 2000, "handlers of ours that run at the same time when it drains")
	exchanges   = flag.Int("exchanges", 0, "Config.Exchanges of ours; 0 is its default")
	goals       = flag.String("goals", "", "`directory` with the source of the commit that goals name and its program worker (tools/bench-goals.sh): measure what there are goals for")
	commit      = flag.String("commit", "", "the `name` of the commit in -goals")
	profile     = flag.String("profile", "", "file for a CPU profile of the drains")
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// peer is a worker library that is measured.
type peer interface {
	name() string
	// prepare creates the library's tables and queues in its database.
	prepare(ctx context.Context) error
	// drainJobs and drainDiamonds do n tasks and return their cost. The cost is empty if the library has no graphs.
	drainJobs(ctx context.Context, n int) (cost, error)
	drainDiamonds(ctx context.Context, n int) (cost, error)
	// latencies returns the times from creation to end of n tasks that have this number of steps, one after the other.
	latencies(ctx context.Context, steps, n int) (delays, error)
	measure(ctx context.Context, n int, work func() (time.Duration, error)) (cost, error)
	// idle runs a worker that has nothing to do and calls watch meanwhile.
	idle(ctx context.Context, watch func() error) error
}

func main() {
	flag.Parse()
	lab.RunServer(func(ctx context.Context, server *lab.Server) error {
		fmt.Fprintf(os.Stderr, "River %s, DBOS Transact %s\n", lab.Version("github.com/riverqueue/river"), lab.Version("github.com/dbos-inc/dbos-transact-golang"))
		var peers []peer
		for _, open := range []func(b *bed) peer{
			func(b *bed) peer { return &ours{bed: b, called: "ours", concurrency: *concurrency} },
			func(b *bed) peer { return &ours{bed: b, called: "ours again", concurrency: *concurrency} },
			func(b *bed) peer { return &ours{bed: b, called: "default"} },
			func(b *bed) peer { return &ours{bed: b, called: "here", here: true} },
			func(b *bed) peer { return &river{bed: b} },
			func(b *bed) peer { return &transact{bed: b} },
			func(b *bed) peer { return &transact{bed: b, queued: true} },
		} {
			admin, err := server.New(ctx)
			if err != nil {
				return err
			}
			p := open(newBed(admin))
			if *goals != "" || slices.Contains(strings.Split(*only, ","), p.name()) {
				peers = append(peers, p)
			}
		}
		if *goals != "" {
			return measureGoals(ctx, server, peers)
		}
		return compare(ctx, peers)
	})
}

// bed is a database for one library.
type bed struct {
	admin *pgxpool.Pool // for the benchmark's own queries, which are not counted
	count *counter
}

func newBed(admin *pgxpool.Pool) *bed { return &bed{admin: admin, count: &counter{}} }

// pool returns a new pool of at most n connections, whose statements are counted.
func (b *bed) pool(ctx context.Context, n int32) (*pgxpool.Pool, error) {
	config := b.admin.Config()
	config.MaxConns = n
	config.ConnConfig.Tracer = b.count
	return pgxpool.NewWithConfig(ctx, config)
}
