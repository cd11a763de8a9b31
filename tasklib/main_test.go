package tasklib_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

// workerURL makes this program a worker that is there to be killed.
const workerURL = "TASKLIB_TEST_WORKER_URL"

func TestMain(m *testing.M) {
	if url := os.Getenv(workerURL); url != "" {
		fmt.Fprintln(os.Stderr, "worker:", victim(url))
		os.Exit(1)
	}
	pgtest.Main(m)
}

// victim runs tasks that never end, and says so on standard output.
func victim(url string) error {
	pool, err := pgxpool.New(context.Background(), url)
	if err != nil {
		return err
	}
	client := tasklib.NewClient(pool, tasklib.Config{WorkerID: "victim"})
	tasklib.MustRegister(client, "block", func(context.Context, numbers) (string, error) {
		fmt.Println("running")
		select {}
	}, tasklib.Options{})
	return client.NewWorker(tasklib.WorkerConfig{}).Run(context.Background())
}
