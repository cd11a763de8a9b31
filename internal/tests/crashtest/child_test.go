package crashtest

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

const (
	envRole = "PGTASKER_CRASHTEST_ROLE"
	envURL  = "PGTASKER_CRASHTEST_URL"
)

// These are the roles of a child. A child writes lines to its standard output, and lives until it is killed or its standard
// input ends.
const (
	roleWorker       = "worker"       // writes "done <step> <claim>" for each result that was recorded
	roleRecorder     = "recorder"     // records the results of steps for an orchestrator
	roleOrchestrator = "orchestrator" // orchestrates
	roleHolder       = "holder"       // orchestrates in a transaction, writes "holding" and never commits
	roleFirer        = "firer"        // fires due timers once, writes "fired" and does nothing more
	roleStuck        = "stuck"        // fires due timers in a transaction, writes "holding" and never commits
)

func TestMain(m *testing.M) {
	if role := os.Getenv(envRole); role != "" {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			_, _ = os.Stdin.Read(make([]byte, 1)) // The child ends with its parent, however the parent ends.
			cancel()
			os.Exit(0)
		}()
		var err error
		switch role {
		case rolePoisoned:
			err = poisoned(ctx)
		case roleStopping:
			err = stopping()
		default:
			live(ctx, role)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, role, err)
		}
		return
	}
	pgtest.Main(m)
}

// live connects again after each lost connection, since the server may be killed as well.
func live(ctx context.Context, role string) {
	c := &child{id: uuid.New()}
	for ctx.Err() == nil {
		if err := c.session(ctx, role); err != nil {
			fmt.Fprintln(os.Stderr, role, err)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

type child struct {
	id      uuid.UUID
	results []direct.StepResult // not acknowledged yet
}

func (c *child) session(ctx context.Context, role string) error {
	conn, err := pgx.Connect(ctx, os.Getenv(envURL))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	e := direct.New(conn)
	for _, namespace := range []string{"plain", "plain_pgmq"} {
		if _, err := conn.Exec(ctx, "listen "+pgx.Identifier{"tasker_steps_ready." + namespace}.Sanitize()); err != nil {
			return err
		}
	}
	if _, err := e.RegisterWorker(ctx, sqlfn.RegisterWorkerParams{WorkerUUID: c.id, Name: role}); err != nil {
		return err
	}
	fmt.Println("ready", c.id)
	for {
		var busy bool
		switch role {
		case roleWorker:
			busy, err = c.work(ctx, e)
		case roleRecorder:
			busy, err = c.record(ctx, e)
		case roleOrchestrator:
			report, failure := e.Orchestrate(ctx, 5)
			busy, err = report.TasksAdvanced+report.ResultsProcessed > 0, failure
		case roleHolder:
			return c.hold(ctx, conn)
		case roleFirer, roleStuck:
			return c.fire(ctx, conn, role == roleFirer)
		}
		if err != nil {
			return err
		}
		if !busy {
			if err := listen(ctx, conn); err != nil {
				return err
			}
		}
	}
}

// listen waits for a notification about ready steps, or for a moment.
func listen(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := conn.WaitForNotification(waiting); err != nil && (waiting.Err() == nil || conn.IsClosed()) {
		return err
	}
	return ctx.Err()
}

// work reports results and claims more steps. It sends a result again if it got no answer, since either the answer or the
// result may have been lost. If the session has ended, it sends the result in the next session.
func (c *child) work(ctx context.Context, e *direct.Executor) (busy bool, err error) {
	reply, err := e.ExchangeSteps(ctx, direct.Exchange{
		Results:      c.results,
		ClaimRequest: direct.ClaimRequest{WorkerUUID: c.id, Limit: 2, Lease: time.Second},
	})
	if err != nil {
		return false, err
	}
	var unanswered []direct.StepResult
	for i, a := range reply.Answers {
		switch a.Answer {
		case "completed", "recorded":
			fmt.Println("done", a.StepUUID, a.ClaimNo)
		case "busy":
			unanswered = append(unanswered, c.results[i])
		case "already_complete", "stale":
		default:
			return false, fmt.Errorf("the answer is %s", a.Answer)
		}
	}
	c.results = unanswered
	for _, s := range reply.Claimed {
		c.results = append(c.results, direct.StepResult{
			StepClaim: direct.StepClaim{StepUUID: s.StepUUID, ClaimNo: s.ClaimNo},
			Results:   []byte(fmt.Sprintf(`{"worker": %q}`, c.id)),
		})
	}
	return len(c.results) > 0, nil
}

// record claims steps and records their results by direct transitions, which an orchestrator processes. It forgets a result that
// it cannot record, so that the step's lease ends.
func (c *child) record(ctx context.Context, e *direct.Executor) (busy bool, err error) {
	reply, err := e.ExchangeSteps(ctx, direct.Exchange{
		ClaimRequest: direct.ClaimRequest{WorkerUUID: c.id, Limit: 2, Lease: time.Second},
	})
	if err != nil {
		return false, err
	}
	for _, s := range reply.Claimed {
		if _, err := e.TransitionStepStateAtomic(ctx, direct.StepMove{
			StepUUID: s.StepUUID, From: state.StepInProgress, To: state.StepEnqueuedForOrchestration, ProcessorUUID: c.id,
			Metadata: []byte(fmt.Sprintf(`{"results": {"worker": %q}}`, c.id)),
		}); err != nil {
			return false, err
		}
	}
	return len(reply.Claimed) > 0, nil
}

// hold does all the work of an orchestrator in a transaction, and leaves the transaction open.
func (c *child) hold(ctx context.Context, conn *pgx.Conn) error {
	for {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return err
		}
		report, err := direct.New(tx).Orchestrate(ctx, 5)
		if err != nil {
			return err
		}
		if report.TasksAdvanced+report.ResultsProcessed > 0 {
			fmt.Println("holding", report.TasksAdvanced, report.ResultsProcessed)
			<-ctx.Done()
		}
		if err := tx.Rollback(ctx); err != nil {
			return err
		}
		if err := listen(ctx, conn); err != nil {
			return err
		}
	}
}

// fire waits until it may fire timers, and fires the due timers in a transaction that it commits or leaves open. Then it waits
// for its end.
func (c *child) fire(ctx context.Context, conn *pgx.Conn, commit bool) error {
	for {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return err
		}
		fired, err := direct.New(tx).FireDueTimers(ctx, 10)
		if err != nil {
			return err
		}
		if fired > 0 && !commit {
			fmt.Println("holding", fired)
			<-ctx.Done()
			return ctx.Err()
		}
		if err := tx.Commit(ctx); err != nil {
			return err
		}
		if fired > 0 {
			fmt.Println("fired", fired)
			<-ctx.Done()
			return ctx.Err()
		}
		// The session of a killed process may hold the timer for another moment.
		if err := listen(ctx, conn); err != nil {
			return err
		}
	}
}
