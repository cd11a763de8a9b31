package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/demo"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/serve"
	"github.com/pgtasker/pgtasker/worker"
)

// How fast the life of the demo goes: a task is created about every lifePace, and a handler takes about stepPace.
const (
	lifePace = 2 * time.Second
	stepPace = 700 * time.Millisecond
)

// demoTokenFor is how long the token of the demo is valid, if it is not stopped before.
const demoTokenFor = 12 * time.Hour

// demoPage serves the operators' page on loopback, and keeps some life going, until ctx ends.
func (a *app) demoPage(ctx context.Context, pool *pgxpool.Pool, address string) (err error) {
	e := executor.New(pool)
	if err := demo.RegisterLife(ctx, e); err != nil {
		return err
	}
	quiet := slog.New(slog.DiscardHandler)
	// A server's connections are its own: it narrows what they may do.
	served, err := pgxpool.NewWithConfig(ctx, pool.Config())
	if err != nil {
		return err
	}
	defer served.Close()
	handler, err := serve.New(ctx, served, serve.Config{Loopback: loopback(address), Logger: quiet})
	var login *serve.LoginError
	switch {
	case errors.As(err, &login):
		return &problem{Exit: exitForbidden, Message: login.Finding.Message, Hint: text(login.Finding.Hint)}
	case err != nil:
		return err
	}
	listener, err := listen(ctx, address)
	if err != nil {
		return err
	}
	token, name, err := demoToken(ctx, e)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	// The token ends with the demo.
	defer func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, revoke := e.RevokeToken(last, name)
		err = errors.Join(err, revoke)
	}()
	w, err := worker.New(pool, worker.Config{Name: "demo", Namespaces: demo.Namespaces, Logger: quiet})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	demo.HandleLife(w, stepPace)

	a.tell("This is what operators see. Orders keep coming; some cannot be paid, and refunds wait for you in the inbox.")
	if err := a.out.Say("  %s\n\n  Log in with the token %s\n  Stop with Ctrl+C.\n",
		a.out.Paint("http://"+listener.Addr().String()+"/ui/login#"+token, term.Blue), token); err != nil {
		return errors.Join(err, listener.Close())
	}
	living, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 3)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: headerWithin}
	server.RegisterOnShutdown(handler.Close)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			ended <- err
			return
		}
		ended <- nil
	}()
	go func() { ended <- w.Run(living) }()
	go func() { ended <- demo.Live(living, pool, lifePace) }()

	running := 3
	select {
	case err = <-ended:
		running--
	case <-ctx.Done():
	}
	stop()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if shutdown := server.Shutdown(closing); shutdown != nil {
		err = errors.Join(err, server.Close())
	}
	for range running {
		err = errors.Join(err, <-ended)
	}
	if err == nil {
		a.tell("Stopped.")
	}
	return err
}

// listen listens where the demo is told to, or on a free port if that one is taken.
func listen(ctx context.Context, address string) (net.Listener, error) {
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp", address)
	if err == nil {
		return listener, nil
	}
	host, _, split := net.SplitHostPort(address)
	if split != nil {
		return nil, invalid("For example 127.0.0.1:8480.", "--listen cannot be %s", quote(address))
	}
	return listening.Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
}

// demoToken makes the token of an operator in all namespaces.
func demoToken(ctx context.Context, e *executor.SqlFunctionExecutor) (token, name string, err error) {
	now, err := e.Clock(ctx)
	if err != nil {
		return "", "", err
	}
	token, hash := bearer.New()
	name, until := fmt.Sprintf("demo-%s", strings.ReplaceAll(uuid.NewString()[:8], "-", "")), now.Add(demoTokenFor)
	_, err = e.CreateToken(ctx, sqlfn.CreateTokenParams{
		Name: name, TokenHash: hash, RoleName: "tasker_operator", Namespaces: []string{"*"}, ExpiresAt: until,
	})
	return token, name, err
}
