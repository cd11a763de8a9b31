package tasklib_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/examples/tasklib/emails"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestExample_SendsWhatIsSubmitted(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	tasks, err := emails.Register(pool)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	require.NoError(t, tasks.Client.Sync(t.Context()))
	go func() { done <- tasks.Client.NewWorker(tasklib.WorkerConfig{}).Run(ctx) }()

	s, err := tasks.Send.Submit(t.Context(), pool, emails.Email{To: "someone@example.org", Subject: "Hello"})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		_, receipt, err := tasks.Send.Get(t.Context(), pool, s.ID)
		return err == nil && receipt.MessageID == "<"+s.ID.String()+"@example.org>"
	}, 30*time.Second, 10*time.Millisecond)
	stop()
	require.NoError(t, <-done)

	_, err = tasks.Send.Submit(t.Context(), pool, emails.Email{To: "no address", Subject: "Hello"})
	require.ErrorContains(t, err, `field "to": to breaks the rule "email"`)
}
