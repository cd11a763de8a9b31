package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/serve"
)

// localTokenFor is how long the token of a local page is valid, if the page is not closed before.
const localTokenFor = 12 * time.Hour

// localPage is the operators' page and the REST server for one person on this machine. Its token is revoked when the page is
// closed.
type localPage struct {
	token, tokenName string

	executor *executor.SqlFunctionExecutor
	pool     *pgxpool.Pool
	listener net.Listener
	server   *http.Server
	handler  *serve.Server
}

// openPage prepares a page, whose token is named after the command. The caller must call [localPage.close].
func openPage(ctx context.Context, pool *pgxpool.Pool, address, command string) (_ *localPage, err error) {
	p := &localPage{executor: executor.New(pool)}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close(ctx))
		}
	}()
	// The server has a separate pool, because it restricts the rights of its connections.
	if p.pool, err = pgxpool.NewWithConfig(ctx, pool.Config()); err != nil {
		return nil, err
	}
	p.handler, err = serve.New(ctx, p.pool, serve.Config{Loopback: loopback(address), Logger: slog.New(slog.DiscardHandler)})
	var login *serve.LoginError
	switch {
	case errors.As(err, &login):
		return nil, &problem{Exit: exitForbidden, Message: login.Finding.Message, Hint: text(login.Finding.Hint)}
	case err != nil:
		return nil, err
	}
	p.server = &http.Server{Handler: p.handler, ReadHeaderTimeout: headerWithin}
	p.server.RegisterOnShutdown(p.handler.Close)
	if p.listener, err = listen(ctx, address); err != nil {
		return nil, err
	}
	return p, p.makeToken(ctx, command)
}

// makeToken makes the token of an operator in all namespaces.
func (p *localPage) makeToken(ctx context.Context, command string) error {
	now, err := p.executor.Clock(ctx)
	if err != nil {
		return err
	}
	token, hash := bearer.New()
	name := fmt.Sprintf("%s-%s", command, uuid.NewString()[:8])
	if _, err = p.executor.CreateToken(ctx, sqlfn.CreateTokenParams{
		Name: name, TokenHash: hash, RoleName: "tasker_operator", Namespaces: []string{"*"}, ExpiresAt: now.Add(localTokenFor),
	}); err == nil {
		p.token, p.tokenName = token, name
	}
	return err
}

// address is where the server listens.
func (p *localPage) address() string { return "http://" + p.listener.Addr().String() }

// link is the address of the page with the token, which the browser keeps to itself.
func (p *localPage) link() string { return p.address() + "/ui/login#" + p.token }

// serve answers requests until ctx ends.
func (p *localPage) serve(ctx context.Context) error {
	served := make(chan error, 1)
	go func() { served <- p.server.Serve(p.listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var err error
	if p.server.Shutdown(closing) != nil {
		err = p.server.Close()
	}
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

// close revokes the token and closes the connections.
func (p *localPage) close(ctx context.Context) (err error) {
	if p.listener != nil {
		if err = p.listener.Close(); errors.Is(err, net.ErrClosed) {
			err = nil
		}
	}
	if p.tokenName != "" {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_, revoke := p.executor.RevokeToken(last, p.tokenName)
		err = errors.Join(err, revoke)
	}
	if p.pool != nil {
		p.pool.Close()
	}
	return err
}

// together calls all functions at the same time. When ctx ends or a function returns, it stops the others, and it returns when
// all functions have returned.
func together(ctx context.Context, runs ...func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, len(runs))
	for _, run := range runs {
		go func() { ended <- run(ctx) }()
	}
	var err error
	for range runs {
		err = errors.Join(err, <-ended)
		stop()
	}
	return err
}

// listen listens at the given address, or on a free port if its port is in use.
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
