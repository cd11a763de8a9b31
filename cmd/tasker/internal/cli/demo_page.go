package cli

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/demo"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
)

// The pace of the demo: a task is created about every lifePace, and a handler takes about stepPace.
const (
	lifePace = 2 * time.Second
	stepPace = 700 * time.Millisecond
)

// demoPage serves the operators' page on loopback, and creates and runs tasks, until ctx ends.
func (a *app) demoPage(ctx context.Context, pool *pgxpool.Pool, address string) (err error) {
	if err := demo.RegisterLife(ctx, executor.New(pool)); err != nil {
		return err
	}
	w, err := worker.New(pool, worker.Config{Name: "demo", Namespaces: demo.Namespaces, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	demo.HandleLife(w, stepPace)
	page, err := openPage(ctx, pool, address, "demo")
	if err != nil {
		return err
	}
	a.tell("This is what operators see. Orders keep coming; some cannot be paid, and refunds wait for you in the inbox.")
	if err := a.out.Say("  %s\n\n  Log in with the token %s\n  Stop with Ctrl+C.\n", a.out.Paint(page.link(), term.Blue), page.token); err != nil {
		return errors.Join(err, page.close(ctx))
	}
	err = together(ctx, page.serve, w.Run, func(ctx context.Context) error { return demo.Live(ctx, pool, lifePace) })
	if err = errors.Join(err, page.close(ctx)); err == nil {
		a.tell("Stopped.")
	}
	return err
}
