// Command http compares an exchange of a worker over HTTP with the same exchange over SQL, in the same run. An exchange hands
// in the results of the steps that the preceding exchange claimed, and claims the same number of steps.
//
//	make bench-http
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/serve"
)

func main() {
	calls := flag.Int("calls", 150, "exchanges of each worker in a turn")
	turns := flag.Int("turns", 4, "turns of each kind, one after the other")
	workers := flag.Int("workers", 4, "how many workers there are in the rows with several")
	flag.Parse()
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		handler, err := serve.New(ctx, pool, serve.Config{Loopback: true, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		defer handler.Close()
		server := httptest.NewServer(handler)
		defer server.Close()
		server.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = *workers
		token, hash := bearer.New()
		e := direct.New(pool)
		if _, err = e.RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "bench", "name": "job", "identity_strategy": "always_unique", "steps": [{"name": "run"}]}`)); err != nil {
			return err
		}
		_, err = e.CreateToken(ctx, sqlfn.CreateTokenParams{Name: "bench", TokenHash: hash, RoleName: "tasker_worker", Namespaces: []string{"bench"}})
		if err != nil {
			return err
		}
		overHTTP := func(ctx context.Context, w *worker, steps int) error { return w.overHTTP(ctx, server, token, steps) }
		overSQL := func(ctx context.Context, w *worker, steps int) error { return w.overSQL(ctx, e, steps) }
		rows := [][]string{{"steps an exchange", "workers", "SQL p50", "HTTP p50", "ratio", "SQL steps/s", "HTTP steps/s"}}
		for _, row := range []struct{ steps, workers int }{{1, 1}, {10, 1}, {100, 1}, {1, *workers}, {10, *workers}} {
			var sql, web measured
			for range *turns {
				for _, of := range []struct {
					m    *measured
					call func(ctx context.Context, w *worker, steps int) error
				}{{&sql, overSQL}, {&web, overHTTP}} {
					if err := fill(ctx, e, row.steps*row.workers*(*calls+1)); err != nil {
						return err
					}
					if err := of.m.turn(ctx, row.workers, row.steps, *calls, of.call); err != nil {
						return err
					}
				}
			}
			rows = append(rows, []string{
				fmt.Sprint(row.steps), fmt.Sprint(row.workers), sql.median().Round(time.Microsecond).String(), web.median().Round(time.Microsecond).String(),
				fmt.Sprintf("%.2f", float64(web.median())/float64(sql.median())), sql.rate(), web.rate(),
			})
		}
		lab.Table(rows)
		return nil
	})
}

// fill makes tasks of one step.
func fill(ctx context.Context, e *direct.Executor, tasks int) error {
	for tasks > 0 {
		n := min(tasks, 1000)
		contexts := slices.Repeat([]json.RawMessage{json.RawMessage(`{"order": 4711}`)}, n)
		if _, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: "job", Contexts: contexts}); err != nil {
			return err
		}
		tasks -= n
	}
	return nil
}

// measured is the cost of one way of exchanging.
type measured struct {
	took  []time.Duration
	steps int
	whole time.Duration
}

func (m *measured) median() time.Duration { return lab.Median(m.took) }

func (m *measured) rate() string { return fmt.Sprintf("%.0f", float64(m.steps)/m.whole.Seconds()) }

// turn has workers make exchanges, and finish their claimed steps at the end.
func (m *measured) turn(ctx context.Context, workers, steps, calls int, call func(ctx context.Context, w *worker, steps int) error) error {
	var mu sync.Mutex
	var working sync.WaitGroup
	var failed error
	began := time.Now()
	for range workers {
		working.Go(func() {
			w := &worker{id: uuid.New()}
			var took []time.Duration
			err := call(ctx, w, steps)
			for range calls {
				if err != nil {
					break
				}
				start := time.Now()
				err = call(ctx, w, steps)
				took = append(took, time.Since(start))
			}
			if err == nil {
				err = call(ctx, w, 0)
			}
			mu.Lock()
			defer mu.Unlock()
			m.took = append(m.took, took...)
			m.steps += steps * calls
			if err != nil {
				failed = err
			}
		})
	}
	working.Wait()
	m.whole += time.Since(began)
	return failed
}

// worker is a worker with claimed steps.
type worker struct {
	id      uuid.UUID
	claimed []gen.ClaimedStep
}

func (w *worker) overSQL(ctx context.Context, e *direct.Executor, steps int) error {
	exchange := direct.Exchange{ClaimRequest: direct.ClaimRequest{
		WorkerUUID: w.id, Limit: steps, Namespaces: []string{"bench"}, Handlers: []string{"run"}, RequestUUID: uuid.New(),
	}}
	for _, step := range w.claimed {
		exchange.Results = append(exchange.Results, direct.StepResult{
			StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo}, Results: json.RawMessage(`{"done": true}`),
		})
	}
	reply, err := e.ExchangeSteps(ctx, exchange)
	w.claimed = reply.Claimed
	return w.full(steps, err)
}

func (w *worker) overHTTP(ctx context.Context, server *httptest.Server, token string, steps int) error {
	results := []map[string]any{}
	for _, step := range w.claimed {
		results = append(results, map[string]any{"step_uuid": step.StepUUID, "claim_no": step.ClaimNo, "result": map[string]bool{"done": true}})
	}
	body, err := json.Marshal(map[string]any{
		"worker_uuid": w.id, "request_uuid": uuid.New(), "namespaces": []string{"bench"}, "handlers": []string{"run"}, "limit": steps, "results": results,
	})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/exchange", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := server.Client().Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %s: %w", response.StatusCode, text, err)
	}
	var reply struct {
		Claimed []gen.ClaimedStep `json:"claimed"`
	}
	err = json.Unmarshal(text, &reply)
	w.claimed = reply.Claimed
	return w.full(steps, err)
}

// full returns an error if an exchange found fewer steps than expected.
func (w *worker) full(steps int, err error) error {
	if err == nil && len(w.claimed) != steps {
		return fmt.Errorf("%d of %d steps were there", len(w.claimed), steps)
	}
	return err
}
