package pgserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"github.com/pgtasker/pgtasker/internal/localpg"
)

// cluster is a private cluster in a directory of its own.
type cluster struct {
	bin   string
	owner *localpg.Account
	dir   *runDir
	lock  *os.File // server.lock, until only the server's processes have it open
	log   *os.File

	settings []string
	primary  string // the directory of the original server, if the cluster is a copy
	follows  bool   // whether the cluster is a standby of that server
	server   *localpg.Postmaster
}

// startCluster makes a cluster with the programs in bin and starts its server. If a setting is given twice, the last
// value holds.
func startCluster(ctx context.Context, bin string, settings ...string) (*Server, error) {
	return bringUp(ctx, &cluster{bin: bin, settings: settings})
}

// bringUp gives c a directory and starts its server. Only the bin, settings and primary of c must be set.
func bringUp(ctx context.Context, c *cluster) (*Server, error) {
	if err := c.settle(ctx); err != nil {
		return nil, err
	}
	return c.serve(ctx)
}

// settle gives c a directory with the files of a cluster.
func (c *cluster) settle(ctx context.Context) error {
	owner, err := localpg.ServerAccount()
	if err != nil {
		return err
	}
	if err := owner.Reaches(c.bin); err != nil {
		return err
	}
	place, err := choosePlace(owner)
	if err != nil {
		return err
	}
	if err := sweep(ctx, places()); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
	}
	if c.dir, err = newRunDir(place, owner); err != nil {
		return err
	}
	c.owner = owner
	if err := c.fill(ctx); err != nil {
		return errors.Join(fmt.Errorf("make a cluster with %s: %w", c.bin, err), c.dir.remove())
	}
	return nil
}

// fill makes the files. Every process that makes files inherits the lock.
func (c *cluster) fill(ctx context.Context) (err error) {
	if err := c.takeLock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.lock.Close()) }()
	return c.initialize(ctx)
}

func (c *cluster) takeLock() (err error) {
	if c.lock, err = os.Create(c.dir.serverLock()); err != nil {
		return err
	}
	_, err = tryLock(c.lock)
	return err
}

// serve starts the server of a cluster that has its files.
func (c *cluster) serve(ctx context.Context) (_ *Server, err error) {
	if c.server, err = c.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start a cluster with %s: %w%s", c.bin, err, c.logText()), c.dir.remove())
	}
	return &Server{
		URL:     socketURL(c.dir.path),
		Origin:  "private cluster, " + c.bin,
		Bin:     c.bin,
		cluster: c,
		stop:    func() error { return errors.Join(c.server.Quit(), c.log.Close(), c.dir.remove()) },
	}, nil
}

func (c *cluster) start(ctx context.Context) (server *localpg.Postmaster, err error) {
	if err := c.takeLock(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.lock.Close()) }()
	if c.log, err = os.Create(c.dir.log()); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.log.Close())
		}
	}()
	return localpg.StartPostmaster(ctx, c.postgres(ctx), c.log)
}

func (c *cluster) initialize(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, "initdb"),
		"--pgdata="+c.dir.data(), "--username=postgres", "--auth=trust",
		"--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions")
	if c.primary != "" {
		cmd = exec.CommandContext(ctx, filepath.Join(c.bin, "pg_basebackup"),
			"--pgdata="+c.dir.data(), "--host="+c.primary, "--username=postgres", "--checkpoint=fast", "--no-sync")
		if c.follows {
			cmd.Args = append(cmd.Args, "--write-recovery-conf")
		}
	}
	return c.run(cmd)
}

// run runs a program to its end, under the attributes of [cluster.confine]. Its error has the program's output.
func (c *cluster) run(cmd *exec.Cmd, env ...string) error {
	c.confine(cmd, syscall.SIGKILL)
	cmd.Env = append(cmd.Env, env...)

	// The kernel sends Pdeathsig when this thread ends, so the thread must not end before the program.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, output)
	}
	return nil
}

// postgres returns the command that runs the server until it gets a signal to quit.
func (c *cluster) postgres(ctx context.Context) *exec.Cmd {
	args := []string{
		"-D", c.dir.data(),
		"-c", "listen_addresses=",
		"-c", "unix_socket_directories=" + c.dir.path,
	}
	for _, setting := range slices.Concat(settings, c.settings) {
		args = append(args, "-c", setting)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(c.bin, "postgres"), args...)
	c.confine(cmd, syscall.SIGQUIT)
	return cmd
}

// confine makes cmd run as the cluster's owner and inherit only the lock from this process. The kernel sends `signal` to cmd if
// this process dies.
func (c *cluster) confine(cmd *exec.Cmd, signal syscall.Signal) {
	cmd.Dir = c.dir.path
	cmd.Env = []string{"PATH=" + c.bin + ":/usr/bin:/bin", "HOME=" + c.dir.path, "LC_ALL=C", "TZ=UTC"}
	cmd.ExtraFiles = []*os.File{c.lock}
	cmd.SysProcAttr = localpg.ProcessAttributes(c.owner, signal)
}

// logText returns the server's log, for the message about a failed start.
func (c *cluster) logText() string {
	text, err := os.ReadFile(c.dir.log())
	if err != nil || len(text) == 0 {
		return ""
	}
	return "\n" + string(bytes.TrimSpace(text))
}

func socketURL(dir string) string {
	location := url.URL{
		Scheme:   "postgres",
		User:     url.User("postgres"),
		Path:     "/postgres",
		RawQuery: url.Values{"host": {dir}}.Encode(),
	}
	return location.String()
}
