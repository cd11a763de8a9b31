package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/worker"
)

// goWorker is the worker of the suite in Go, over SQL.
func goWorker(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	lease, err := strconv.Atoi(os.Getenv("TASKER_LEASE_SECONDS"))
	if err != nil {
		return err
	}
	wait, err := strconv.Atoi(os.Getenv("TASKER_STOP_SECONDS"))
	if err != nil {
		return err
	}
	w, err := worker.New(pool, worker.Config{
		Name: "conformance", Version: "1.4.2", Namespaces: []string{os.Getenv("TASKER_NAMESPACE")}, Concurrency: 4,
		Lease: time.Duration(lease) * time.Second, StopTimeout: time.Duration(wait) * time.Second,
	})
	if err != nil {
		return err
	}
	handle(w)
	return w.Run(ctx)
}

type anyJob = worker.Job[json.RawMessage]

func handle(w *worker.Worker) {
	worker.Handle(w, "echo", func(_ context.Context, job *anyJob) (json.RawMessage, error) { return job.Input, nil })
	worker.Handle(w, "twice", func(_ context.Context, job *anyJob) (any, error) {
		if job.Attempt == 1 {
			return nil, errors.New("not yet")
		}
		return map[string]any{"attempt": job.Attempt, "last_error": job.LastError}, nil
	})
	worker.Handle(w, "declined", func(_ context.Context, job *worker.Job[struct {
		Card string `json:"card"`
	}],
	) (any, error) {
		return nil, worker.Permanent(fmt.Errorf("charge: %w", declinedError(job.Input.Card)))
	})
	worker.Handle(w, "final", func(context.Context, *anyJob) (any, error) { return nil, worker.Permanent(errors.New("no")) })
	worker.Handle(w, "join", func(_ context.Context, job *anyJob) (map[string]json.RawMessage, error) {
		return worker.Results[json.RawMessage](job)
	})
	worker.Handle(w, "ancestor", func(_ context.Context, job *anyJob) (json.RawMessage, error) {
		return worker.Result[json.RawMessage](job, "first")
	})
	worker.Handle(w, "slow", func(ctx context.Context, job *worker.Job[struct {
		Seconds float64 `json:"seconds"`
	}],
	) (any, error) {
		if err := job.Checkpoint(ctx, "began"); err != nil {
			return nil, err
		}
		select {
		case <-time.After(time.Duration(job.Input.Seconds * float64(time.Second))):
			return map[string]bool{"slow": true}, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	})
	worker.Handle(w, "compute", func(ctx context.Context, job *worker.Job[struct {
		Seconds float64 `json:"seconds"`
	}],
	) (any, error) {
		if err := job.Checkpoint(ctx, "began"); err != nil {
			return nil, err
		}
		for end := time.Now().Add(time.Duration(job.Input.Seconds * float64(time.Second))); time.Now().Before(end); {
		}
		return map[string]int{"computed": int(job.Attempt)}, nil
	})
	worker.Handle(w, "large", func(_ context.Context, job *worker.Job[struct {
		Bytes int `json:"bytes"`
	}],
	) (string, error) {
		return strings.Repeat("x", job.Input.Bytes), nil
	})
	worker.Handle(w, "length", func(_ context.Context, job *anyJob) (map[string]int, error) {
		results, err := worker.Results[string](job)
		lengths := map[string]int{}
		for name, text := range results {
			lengths[name] = len(text)
		}
		return lengths, err
	})
	worker.Handle(w, "undo", func(_ context.Context, job *anyJob) (any, error) {
		var inputs struct{ Step, Result string }
		err := job.Inputs(&inputs)
		return map[string]any{"step": inputs.Step, "length": len(inputs.Result)}, err
	})
	worker.Handle(w, "zero", func(_ context.Context, job *worker.Job[struct {
		Seconds float64 `json:"seconds"`
	}],
	) (string, error) {
		time.Sleep(time.Duration(job.Input.Seconds * float64(time.Second)))
		return "a\x00b", nil
	})
	worker.Handle(w, "half", func(context.Context, *anyJob) (json.RawMessage, error) { return json.RawMessage(`"\ud800"`), nil })
	worker.Handle(w, "mark", func(context.Context, *anyJob) (json.RawMessage, error) {
		return json.RawMessage(`{"n": 12345678901234567890, "text": "\u0000pgtasker:5"}`), nil
	})
	worker.Handle(w, "long", func(context.Context, *anyJob) (any, error) {
		return nil, worker.Permanent(errors.New("a\x00" + strings.Repeat("x", 70_000)))
	})
	worker.Handle(w, "checkpoint", func(ctx context.Context, job *anyJob) (any, error) {
		if job.Attempt == 1 {
			return nil, errors.Join(job.Checkpoint(ctx, map[string]int{"at": 7}), errors.New("again"))
		}
		var saved any
		_, err := job.LastCheckpoint(&saved)
		return saved, err
	})
	worker.Handle(w, "function", function)
	worker.Handle(w, "refund", func(ctx context.Context, job *anyJob) (any, error) {
		_, err := worker.Once(ctx, job, "charge", func(context.Context, uuid.UUID) (any, error) {
			return nil, worker.Permanent(errors.New("the bank refuses"))
		})
		if _, waitErr := worker.Await(ctx, job, worker.Signal[any]("go"), worker.Waiting{}); waitErr != nil {
			return nil, waitErr
		}
		return map[string]string{"kept": err.Error()}, nil
	})
	worker.Handle(w, "rounds", rounds)
	worker.Handle(w, "diverge", func(ctx context.Context, job *anyJob) (any, error) {
		if _, err := worker.Once(ctx, job, "call-"+uuid.NewString(), func(context.Context, uuid.UUID) (int, error) { return 1, nil }); err != nil {
			return nil, err
		}
		return worker.Await(ctx, job, worker.Signal[any]("go"), worker.Waiting{})
	})
}

func keyOf(_ context.Context, key uuid.UUID) (uuid.UUID, error) { return key, nil }

func function(ctx context.Context, job *anyJob) (result functionResult, err error) {
	for range 2 {
		key, err := worker.Once(ctx, job, "charge", keyOf)
		if err != nil {
			return result, err
		}
		result.Keys = append(result.Keys, key)
	}
	now, number := worker.Now(ctx, job), worker.Rand(ctx, job).Uint64()
	result.Changed = worker.Changed(ctx, job, "v2")
	worker.Sleep(ctx, job, 50*time.Millisecond)
	answer, err := worker.Await(ctx, job, worker.Signal[json.RawMessage]("approved"), worker.Waiting{Timeout: time.Hour})
	if err != nil {
		return result, err
	}
	result.By, result.Payload, result.SentAt = answer.By, answer.Payload, answer.SentAt
	kept, err := worker.Once(ctx, job, "time", func(context.Context, uuid.UUID) (time.Time, error) { return now, nil })
	result.SameTime = kept.Equal(now)
	if err != nil {
		return result, err
	}
	same, err := worker.Once(ctx, job, "number", func(context.Context, uuid.UUID) (string, error) { return fmt.Sprint(number), nil })
	result.SameNumber = same == fmt.Sprint(number)
	return result, err
}

// state is the data that a round passes to the next round.
type state struct {
	N    int         `json:"n"`
	Keys []uuid.UUID `json:"keys"`
}

func rounds(ctx context.Context, job *anyJob) (s state, err error) {
	if _, err := job.State(&s); err != nil {
		return s, err
	}
	key, err := worker.Once(ctx, job, "key", keyOf)
	if err != nil {
		return s, err
	}
	s.N, s.Keys = s.N+1, append(s.Keys, key)
	if s.N < 3 {
		worker.ContinueAs(ctx, job, s)
	}
	return s, nil
}

// declinedError is an error that names its class.
type declinedError string

func (e declinedError) Error() string    { return "the card of " + string(e) + " was declined" }
func (declinedError) ErrorClass() string { return "card_declined" }
