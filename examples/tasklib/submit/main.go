// Command submit submits a message to be sent.
//
//	DATABASE_URL=postgres://… go run ./submit someone@example.org "Your order"
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/examples/tasklib/emails"
	"github.com/pgtasker/pgtasker/tasklib"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: submit TO SUBJECT")
		os.Exit(2)
	}
	if err := submit(context.Background(), emails.Email{To: os.Args[1], Subject: os.Args[2]}); err != nil {
		fmt.Fprintln(os.Stderr, "submit:", err)
		os.Exit(1)
	}
}

func submit(ctx context.Context, email emails.Email) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	tasks, err := emails.Register(pool)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		// The order's own rows are written here. The message is sent if, and only if, they are committed.
		s, err := tasks.Send.Submit(ctx, tx, email, tasklib.SubmitOptions{
			DedupKey: email.To + " " + email.Subject,
			Tags:     map[string]any{"source": "example"},
		})
		if err != nil {
			return err
		}
		fmt.Println(s.ID, map[bool]string{true: "submitted", false: "was submitted before"}[s.Created])
		return nil
	})
}
