// Package emails defines the tasks, with the types of their arguments and results. Submitters and workers import it.
package emails

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/tasklib"
	"github.com/pgtasker/pgtasker/tasklib/tagvalidator"
)

// Email is the argument of send_email.
type Email struct {
	To      string `json:"to" validate:"required,email"`
	Subject string `json:"subject" validate:"required,max=200"`
}

// Receipt is the result of send_email.
type Receipt struct {
	MessageID string `json:"message_id"`
}

// Tasks are the registered tasks.
type Tasks struct {
	Client *tasklib.Client
	Send   *tasklib.Task[Email, Receipt]
}

// Register registers the tasks on a new client.
func Register(pool *pgxpool.Pool) (*Tasks, error) {
	client := tasklib.NewClient(pool, tasklib.Config{Validator: tagvalidator.New()})
	send, err := tasklib.Register(client, "send_email", sendEmail, tasklib.Options{
		Description:     "Sends one message through the provider.",
		MaxRetries:      5,
		Timeout:         30 * time.Second,
		RateLimit:       50, // what the provider allows
		RatePeriod:      time.Second,
		BreakerFailures: 10, // the provider is down: leave it alone for a minute
		BreakerPause:    time.Minute,
		KeepCompleted:   7 * 24 * time.Hour,
	})
	if err != nil {
		return nil, err
	}
	// Many workers still send one report every morning.
	err = send.Every(tasklib.Schedule{Name: "morning report", Cron: "0 7 * * mon-fri", Timezone: "Europe/Berlin"},
		Email{To: "team@example.org", Subject: "Good morning"})
	return &Tasks{Client: client, Send: send}, err
}

// sendEmail may be called twice for one message: the ID of the message is derived from the task, so that a provider that already knows the
// ID does not send the message again.
func sendEmail(ctx context.Context, email Email) (Receipt, error) {
	task, _ := tasklib.CurrentTask(ctx)
	slog.InfoContext(ctx, "sending", "subject", email.Subject, "task", task.ID, "retry", task.RetryCount)
	return Receipt{MessageID: fmt.Sprintf("<%s@example.org>", task.ID)}, nil
}
