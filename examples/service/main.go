// Command service sells things. An order and the task that fulfils it are written in one transaction. A person approves the order over
// HTTP. A second workflow computes a price list with a step for each article.
//
//	DATABASE_URL=postgres://… go run ./examples/service
//	curl -d '{"number": 7, "customer": "Ada", "lines": [{"article": "book", "cents": 1299}]}' localhost:8080/orders
//	curl -d '{"approved": true, "by": "Bob"}' localhost:8080/orders/7/approval
//	curl localhost:8080/orders/7
//	curl -d '{"articles": 1000}' localhost:8080/price-lists/2026-11-22
//
// One process serves HTTP, runs the handlers, and runs the database's periodic duties. The database must have pgtasker's migrations (tasker
// migrate up).
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
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workflow"
)

// The requests of callers, and the results of the steps.
type (
	Order struct {
		Number   int    `json:"number" tasker:"required"`
		Customer string `json:"customer"`
		Lines    []Line `json:"lines" tasker:"required"`
	}
	Line struct {
		Article string `json:"article"`
		Cents   int    `json:"cents"`
	}
	Place struct {
		Shelf string `json:"shelf"`
		Cents int    `json:"cents"`
	}
	Payment struct {
		Receipt string `json:"receipt" tasker:"required"`
		Cents   int    `json:"cents"`
	}
	Approval struct {
		Approved bool   `json:"approved"`
		By       string `json:"by"`
	}
	PriceList struct {
		Articles int `json:"articles" tasker:"required"`
	}
)

// bank is the bank that the service calls. It returns the same receipt for the same key.
type bank struct{ teller }

type teller interface {
	Charge(ctx context.Context, cents int, key string) (receipt string, err error)
	Refund(ctx context.Context, receipt string) error
}

var errNoSuchCard = errors.New("no such card")

// This is the service's own table. It has the task's UUID without a foreign key, since a foreign key would block retention.
const schema = `create table if not exists service_orders (
	number integer primary key, customer text not null, task_uuid uuid not null)`

type service struct {
	pool  *pgxpool.Pool
	order *workflow.Workflow[Order]
}

// newService registers the workflows, and returns the service and a worker for all of their steps.
func newService(ctx context.Context, pool *pgxpool.Pool, b bank) (service, *worker.Worker, error) {
	s := service{pool: pool, order: newOrder(b)}
	if err := errors.Join(s.order.Register(ctx, pool), prices.Register(ctx, pool)); err != nil {
		return s, nil, err
	}
	w, err := worker.New(pool, worker.Config{Namespaces: []string{"shop"}})
	if err != nil {
		return s, nil, err
	}
	s.order.Handle(w)
	prices.Handle(w)
	return s, w, nil
}

func (s service) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", answer(s.place))
	mux.HandleFunc("GET /orders/{number}", answer(s.show))
	mux.HandleFunc("POST /orders/{number}/approval", answer(s.approve))
	mux.HandleFunc("POST /price-lists/{day}", answer(s.price))
	return mux
}

// answer turns the return value of a handler into a response.
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
		task, err := s.order.Start(r.Context(), tx, order, workflow.StartOptions{Key: strconv.Itoa(order.Number)})
		if err != nil {
			return err
		}
		_, err = tx.Exec(r.Context(), `insert into service_orders (number, customer, task_uuid)
			values ($1, $2, $3) on conflict (number) do nothing`, order.Number, order.Customer, task.UUID)
		return err
	})
}

// approve sends a person's decision to the order. Only the first decision counts. After the end of the order a decision is a conflict.
func (s service) approve(r *http.Request) (any, error) {
	var approval Approval
	if err := decode(r, &approval); err != nil {
		return nil, err
	}
	task, err := s.task(r)
	if err != nil {
		return nil, err
	}
	return approved.Send(r.Context(), s.pool, task, approval, workflow.SendOptions{Key: "decision"})
}

// show reports the progress of an order.
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
	task, err := prices.Start(r.Context(), s.pool, list, workflow.StartOptions{Key: r.PathValue("day")})
	return task.UUID, err
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

// kindBank is a bank that accepts every charge, for trying the example out.
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
	s, w, err := newService(ctx, pool, bank{kindBank{}})
	if err != nil {
		return err
	}
	server := &http.Server{Addr: "localhost:8080", Handler: s.routes(), ReadHeaderTimeout: 5 * time.Second}
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
	context.AfterFunc(ctx, stop) // A second signal ends the process at once.
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "service:", err)
		os.Exit(1)
	}
}
