// Command claims decides insurance claims, with a graph and functions in typed Go:
//
//	          ┌─ amount < 1000 ──▶ approve ──────┐
//	assess ───┤                                  ├──▶ pay ──▶ archive
//	          └─ amount ≥ 1000 ──▶ investigate ──┘
//
//	DATABASE_URL=postgres://… go run ./examples/claims
//
// The database must have pgtasker's migrations (tasker migrate up).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workflow"
)

// Claim is the context of a task.
type Claim struct {
	Number int    `json:"number"`
	Cents  int    `json:"cents"`
	Story  string `json:"story"`
}

// Assessment is the result of assess.
type Assessment struct {
	Amount int `json:"amount"` // in whole euros
}

// Decision is the result of approve and of investigate.
type Decision struct {
	By    string `json:"by"`
	Cents int    `json:"cents"`
}

// Until the workflow is released, its version comes from its content, so an edited graph automatically gets a new version.
var (
	claim       = workflow.New[Claim]("insurance", "claim", workflow.FromContent, workflow.ByKey)
	assess      = workflow.Root(claim, "assess", assessClaim)
	approve     = workflow.After1(claim, "approve", assess.When("$.amount < 1000"), approveClaim)
	investigate = workflow.After1(claim, "investigate", assess.When("$.amount >= 1000"), investigateClaim,
		workflow.Retry{Attempts: 3, Backoff: time.Second}, workflow.Timeout(time.Minute))
	pay = workflow.After2(claim, "pay", workflow.Optional(approve), workflow.Optional(investigate), payOut,
		workflow.JoinAny(), workflow.Priority(1))
	archive = workflow.After1(claim, "archive", workflow.Optional(pay), archiveClaim, workflow.JoinSettled())
)

func assessClaim(_ context.Context, job *workflow.Job[Claim]) (Assessment, error) {
	return Assessment{Amount: job.Input.Cents / 100}, nil
}

func approveClaim(_ context.Context, job *workflow.Job[Claim], _ Assessment) (Decision, error) {
	return Decision{By: "rule", Cents: job.Input.Cents}, nil
}

func investigateClaim(_ context.Context, job *workflow.Job[Claim], a Assessment) (Decision, error) {
	switch {
	case job.Attempt == 1:
		return Decision{}, errors.New("the inspector is on the road") // tried again, by the step's retries
	case job.Input.Story == "":
		return Decision{}, worker.Permanent(fmt.Errorf("nothing explains %d euros", a.Amount))
	}
	return Decision{By: "inspector", Cents: job.Input.Cents / 2}, nil
}

// payOut joins the branches: one branch was skipped and has no decision.
func payOut(_ context.Context, _ *workflow.Job[Claim], approved, investigated workflow.Maybe[Decision]) (string, error) {
	decision := investigated.Value
	if approved.OK {
		decision = approved.Value
	}
	return fmt.Sprintf("%d cents, by %s", decision.Cents, decision.By), nil
}

func archiveClaim(_ context.Context, job *workflow.Job[Claim], paid workflow.Maybe[string]) (string, error) {
	if !paid.OK {
		return fmt.Sprintf("claim %d: not paid", job.Input.Number), nil
	}
	return fmt.Sprintf("claim %d: paid %s", job.Input.Number, paid.Value), nil
}

// run decides two claims with a worker in this process, and reports the decisions to out.
func run(ctx context.Context, pool *pgxpool.Pool, out io.Writer) error {
	if err := claim.Register(ctx, pool); err != nil {
		return err
	}
	w, err := worker.New(pool, worker.Config{Namespaces: []string{"insurance"}})
	if err != nil {
		return err
	}
	claim.Handle(w)
	working, stop := context.WithCancel(ctx)
	defer stop()
	stopped := make(chan error, 1)
	go func() { stopped <- w.Run(working) }()

	for _, c := range []Claim{{1, 45_000, "a window"}, {2, 250_000, "a roof"}} {
		task, err := claim.Start(ctx, pool, c, workflow.StartOptions{Key: fmt.Sprint("claim ", c.Number)})
		if err != nil {
			return err
		}
		archived, err := archive.Wait(ctx, pool, task, executor.WaitOptions{PollInterval: 100 * time.Millisecond})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, archived); err != nil {
			return err
		}
	}
	stop()
	return <-stopped
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // A second signal ends the process at once.
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err == nil {
		defer pool.Close()
		err = run(ctx, pool, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "claims:", err)
		os.Exit(1)
	}
}
