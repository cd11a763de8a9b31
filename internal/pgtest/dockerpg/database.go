package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"time"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/exec"
	tclog "github.com/testcontainers/testcontainers-go/log"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	port = "5432/tcp"

	// readyWithin bounds the start of the container, without the build of the image.
	readyWithin = time.Minute

	// A busy machine whose storage driver copies the image needs half a minute to remove a container.
	stopWithin   = 10 * time.Second
	removeWithin = 2 * time.Minute
)

// database is a container that accepts connections at url.
type database struct {
	container *testcontainers.DockerContainer
	url       string
}

func start(ctx context.Context, options []string, base string) (*database, error) {
	fmt.Fprintln(os.Stderr, "dockerpg: starting PostgreSQL (building its image takes half a minute the first time)")
	tclog.SetDefault(log.New(io.Discard, "", 0))
	container, err := testcontainers.Run(ctx, "",
		testcontainers.WithDockerfile(image(base)),
		testcontainers.WithExposedPorts(port),
		testcontainers.WithTmpfs(map[string]string{"/memory": "mode=1777"}),
		testcontainers.WithCmd(options...),
		testcontainers.WithWaitStrategyAndDeadline(readyWithin,
			wait.ForLog("database system is ready to accept connections")),
	)
	if container == nil {
		return nil, err
	}
	d := &database{container: container}
	if err == nil {
		d.url, err = d.open(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w\n%s", err, d.log(ctx)), d.remove())
	}
	return d, nil
}

// log returns the output of the container, for the message about a failed start.
func (d *database) log(ctx context.Context) []byte {
	output, err := d.container.Logs(ctx)
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(output)
	_ = output.Close() // it was only read from
	return text
}

func image(base string) testcontainers.FromDockerfile {
	dockerfile := testcontainers.FromDockerfile{
		Context:        "..",
		Repo:           "pgtasker-test-postgres",
		Tag:            "17",
		KeepImage:      true,
		BuildLogWriter: io.Discard,
	}
	if base != "" {
		dockerfile.BuildArgs = map[string]*string{"BASE": &base}
	}
	return dockerfile
}

// open sets a password, without which the image refuses connections from
// outside, and returns the URL.
func (d *database) open(ctx context.Context) (string, error) {
	password := rand.Text()
	code, output, err := d.container.Exec(ctx,
		[]string{"psql", "-Xqc", fmt.Sprintf("alter role postgres password '%s'", password)},
		exec.Multiplexed())
	if err != nil {
		return "", err
	}
	if code != 0 {
		text, _ := io.ReadAll(output)
		return "", fmt.Errorf("set the password: psql exited with %d: %s", code, text)
	}

	address, err := d.container.PortEndpoint(ctx, port, "")
	if err != nil {
		return "", err
	}
	location := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword("postgres", password),
		Host:     address,
		Path:     "/postgres",
		RawQuery: "sslmode=disable",
	}
	return location.String(), nil
}

// remove removes the container. It has no context, because the caller's context has ended by then.
func (d *database) remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), removeWithin)
	defer cancel()
	return d.container.Terminate(ctx, testcontainers.StopTimeout(stopWithin))
}
