// Command web takes orders over HTTP. An order and the task that fulfils it are written in one transaction:
// there is no order without its task, and no task without its order.
//
//	DATABASE_URL=postgres://… go run ./examples/web
//	curl -d '{"number": 7, "customer": "Ada", "cents": 1299}' localhost:8080/orders
//
// A repeated request makes no second order and no second task. The worker runs in the same process here, but could run anywhere. The
// database must have pgtasker's migrations (tasker migrate up).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/examples/orders/fulfilment"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
)

// This is the application's own table. It has the task's UUID without a foreign key, since a foreign key would block retention.
const schema = `create table if not exists web_orders (
	number integer primary key, customer text not null, cents integer not null, task_uuid uuid not null)`

type shop struct{ pool *pgxpool.Pool }

func (s shop) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", s.place)
	mux.HandleFunc("GET /orders/{task}", s.show)
	return mux
}

// place writes an order and its task.
func (s shop) place(w http.ResponseWriter, r *http.Request) {
	var order fulfilment.Order
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&order); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var task uuid.UUID
	err := pgx.BeginFunc(r.Context(), s.pool, func(tx pgx.Tx) (err error) {
		if task, err = fulfilment.Place(r.Context(), tx, order); err != nil {
			return err
		}
		_, err = tx.Exec(r.Context(), `insert into web_orders (number, customer, cents, task_uuid)
			values ($1, $2, $3, $4) on conflict (number) do nothing`, order.Number, order.Customer, order.Cents, task)
		return err
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Location", "/orders/"+task.String())
	w.WriteHeader(http.StatusAccepted)
	_, _ = fmt.Fprintln(w, task)
}

// show reports the progress of an order.
func (s shop) show(w http.ResponseWriter, r *http.Request) {
	task, err := uuid.Parse(r.PathValue("task"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	detail, err := executor.New(s.pool).GetTask(r.Context(), task)
	switch {
	case errors.Is(err, executor.ErrNotFound):
		http.NotFound(w, r)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		_, _ = fmt.Fprintf(w, "%s, %d of %d steps are open\n", detail.State, detail.OpenSteps, detail.TotalSteps)
	}
}

// prepare makes the application's table, registers its templates and returns a worker for them.
func prepare(ctx context.Context, pool *pgxpool.Pool) (*worker.Worker, error) {
	if _, err := pool.Exec(ctx, schema); err != nil {
		return nil, err
	}
	if err := fulfilment.Register(ctx, pool); err != nil {
		return nil, err
	}
	w, err := worker.New(pool, worker.Config{Namespaces: []string{"shop"}})
	if err == nil {
		fulfilment.Handle(w)
	}
	return w, err
}

func run(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	w, err := prepare(ctx, pool)
	if err != nil {
		return err
	}
	server := &http.Server{Addr: "localhost:8080", Handler: shop{pool}.routes(), ReadHeaderTimeout: 5 * time.Second}
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
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}
