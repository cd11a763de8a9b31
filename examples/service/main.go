// Command service sells things. An order and the task that fulfils it are written in one transaction; a person
// approves it over HTTP; a price list is computed by a step for each article.
//
//	DATABASE_URL=postgres://… go run ./examples/service
//	curl -d '{"number": 7, "customer": "Ada", "cents": 1299}' localhost:8080/orders
//	curl -d '{"approved": true, "by": "Bob"}' localhost:8080/orders/7/approval
//	curl localhost:8080/orders/7
//	curl -d '{"articles": 1000}' localhost:8080/price-lists/2026-11-22
//
// One process does it all: HTTP, the handlers, and the database's periodic duties. The database must have
// pgtasker's migrations (tasker migrate up).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/template"
)

// The service's own table. It keeps the task's UUID, without a foreign key: that would block retention.
const schema = `create table if not exists service_orders (
	number integer primary key, customer text not null, cents integer not null, task_uuid uuid not null)`

type service struct{ pool *pgxpool.Pool }

func (s service) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", answer(s.place))
	mux.HandleFunc("GET /orders/{number}", answer(s.show))
	mux.HandleFunc("POST /orders/{number}/approval", answer(s.approve))
	mux.HandleFunc("POST /price-lists/{day}", answer(s.price))
	return mux
}

// answer turns what a handler returns into a response.
func answer(handle func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
		reply, err := handle(r)
		switch {
		case errors.Is(err, executor.ErrNotFound), errors.Is(err, pgx.ErrNoRows):
			http.Error(w, err.Error(), http.StatusNotFound)
		case errors.Is(err, executor.ErrConflict):
			http.Error(w, err.Error(), http.StatusConflict)
		case errors.Is(err, errBadRequest):
			http.Error(w, err.Error(), http.StatusBadRequest)
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		default:
			_ = json.NewEncoder(w).Encode(reply)
		}
	}
}

var errBadRequest = errors.New("bad request")

func decode(r *http.Request, v any) error {
	if err := json.NewDecoder(r.Body).Decode(v); err != nil {
		return fmt.Errorf("%w: %w", errBadRequest, err)
	}
	return nil
}

// place writes an order and its task, once for each number.
func (s service) place(r *http.Request) (any, error) {
	var order Order
	if err := decode(r, &order); err != nil {
		return nil, err
	}
	return nil, pgx.BeginFunc(r.Context(), s.pool, func(tx pgx.Tx) error {
		task, err := create(r.Context(), tx, "order", strconv.Itoa(order.Number), order)
		if err != nil {
			return err
		}
		_, err = tx.Exec(r.Context(), `insert into service_orders (number, customer, cents, task_uuid)
			values ($1, $2, $3, $4) on conflict (number) do nothing`, order.Number, order.Customer, order.Cents, task)
		return err
	})
}

// approve decides about an order that was charged: before that, and twice with another word, it is a conflict.
func (s service) approve(r *http.Request) (any, error) {
	var approval Approval
	if err := decode(r, &approval); err != nil {
		return nil, err
	}
	task, err := s.task(r)
	if err != nil {
		return nil, err
	}
	return executor.New(s.pool).CompleteStepByName(r.Context(), task, "approve", executor.StepCompletion{
		Results: template.Inputs(approval), Actor: approval.By,
	})
}

// show says how far an order has come.
func (s service) show(r *http.Request) (any, error) {
	task, err := s.task(r)
	if err != nil {
		return nil, err
	}
	detail, err := executor.New(s.pool).GetTask(r.Context(), task)
	return map[string]any{"state": detail.State, "open_steps": detail.OpenSteps}, err
}

// price computes the price list of a day, once.
func (s service) price(r *http.Request) (any, error) {
	var list PriceList
	if err := decode(r, &list); err != nil {
		return nil, err
	}
	return create(r.Context(), s.pool, "price_list", r.PathValue("day"), list)
}

// task returns the task of the order that a request names.
func (s service) task(r *http.Request) (task uuid.UUID, err error) {
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil {
		return task, fmt.Errorf("%w: %w", errBadRequest, err)
	}
	err = s.pool.QueryRow(r.Context(), "select task_uuid from service_orders where number = $1", number).Scan(&task)
	return task, err
}

// create creates a task, or finds the one with this key.
func create(ctx context.Context, db executor.DBTX, name, key string, taskContext any) (uuid.UUID, error) {
	task, err := executor.New(db).CreateTask(ctx, executor.TaskRequest{
		Namespace: "shop", Name: name, IdentityKey: key, Context: template.Inputs(taskContext),
	})
	return task.TaskUUID, err
}

// kindBank is a bank for trying things out.
type kindBank struct{}

func (kindBank) Charge(_ context.Context, _ int, key string) (string, error) {
	return "r-" + key[:8], nil
}
func (kindBank) Refund(context.Context, string) error { return nil }

func run(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, schema); err != nil {
		return err
	}
	w, err := newWorker(ctx, pool, kindBank{})
	if err != nil {
		return err
	}
	server := &http.Server{Addr: "localhost:8080", Handler: service{pool}.routes(), ReadHeaderTimeout: 5 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.ListenAndServe() }()
	fmt.Println("listening on", server.Addr)

	err = w.Run(ctx) // until it is interrupted
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err = errors.Join(err, server.Shutdown(closing))
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "service:", err)
		os.Exit(1)
	}
}
