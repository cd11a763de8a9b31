package pgserver

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// envOwner makes the test binary a process that owns a cluster until it is
// killed, or until its standard input ends.
const envOwner = "PGSERVER_TEST_OWNER"

func TestMain(m *testing.M) {
	if os.Getenv(envOwner) != "" {
		if err := ownCluster(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func ownCluster() error {
	bin, err := findBinaries(context.Background())
	if err != nil {
		return err
	}
	server, err := startCluster(context.Background(), bin)
	if err != nil {
		return err
	}
	fmt.Println(server.URL)
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return server.Stop()
}
