//go:build unix

package localpg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

const (
	// longestFolder keeps the path of the socket below the 104 bytes that macOS allows. Other systems allow more.
	longestFolder = 85
	// scratchPrefix begins the names of folders that are thrown away.
	scratchPrefix = "tasker-dev-"
)

// Server is a server that [Start] has started.
type Server struct {
	URL     string
	Version string // such as 17.2
	Folder  string
	Scratch bool   // Stop removes the folder
	Account string // the user that the server runs as, if it is another user
	// Ended is closed when the server has ended.
	Ended <-chan struct{}

	master *Postmaster
	log    *os.File
	lock   *os.File
}

// cluster is a folder with the programs of its server.
type cluster struct {
	bin, folder string
	major       string
	scratch     bool
	owner       *Account
	lock        *os.File
}

func (c *cluster) data() string { return filepath.Join(c.folder, "data") }

// Start makes a cluster, unless the folder has one, and starts its server. The caller must call [Server.Stop]. ctx bounds the
// start only.
func Start(ctx context.Context, config Config) (_ *Server, err error) {
	version, err := serverVersion(ctx, config.Bin)
	if err != nil {
		return nil, err
	}
	major, _, _ := strings.Cut(version, ".")
	c := &cluster{bin: config.Bin, major: major, scratch: config.Folder == ""}
	if c.owner, err = ServerAccount(); err != nil {
		return nil, err
	}
	if err := c.owner.Reaches(c.bin); err != nil {
		return nil, &UserError{err.Error(), "Install PostgreSQL where that user can run it."}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.leave())
		}
	}()
	if err := c.settle(config.Folder); err != nil {
		return nil, err
	}
	if err := c.fill(ctx); err != nil {
		return nil, err
	}
	log, err := c.openLog()
	if err != nil {
		return nil, err
	}
	begun, err := log.Seek(0, 2)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	master, err := StartPostmaster(ctx, c.postgres(ctx), log)
	if err != nil {
		text, _ := os.ReadFile(log.Name())
		return nil, errors.Join(fmt.Errorf("start PostgreSQL %s with %s: %w\n%s",
			version, c.bin, err, bytes.TrimSpace(text[min(int(begun), len(text)):])), log.Close())
	}
	s := &Server{
		URL: c.url(), Version: version, Folder: c.folder, Scratch: c.scratch,
		Ended: master.Ended, master: master, log: log, lock: c.lock,
	}
	if c.owner != nil {
		s.Account = c.owner.Name
	}
	return s, nil
}

// Stop ends the server. If its data is kept, the server makes a checkpoint first. Otherwise Stop removes the folder.
func (s *Server) Stop() error {
	err := s.end()
	err = errors.Join(err, s.log.Close())
	if s.Scratch {
		err = errors.Join(err, os.RemoveAll(s.Folder))
	}
	return errors.Join(err, s.lock.Close())
}

func (s *Server) end() error {
	if s.Scratch {
		return s.master.Quit()
	}
	if err := s.master.Signal(syscall.SIGINT); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*QuitWithin)
	defer cancel()
	select {
	case <-s.master.Ended:
		return nil
	case <-ctx.Done():
		return s.master.Quit()
	}
}

// leave removes a scratch folder, and releases the lock.
func (c *cluster) leave() error {
	if c.lock == nil {
		return nil
	}
	var err error
	if c.scratch {
		err = os.RemoveAll(c.folder)
	}
	return errors.Join(err, c.lock.Close())
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+)?`)

func serverVersion(ctx context.Context, bin string) (string, error) {
	out, err := exec.CommandContext(ctx, filepath.Join(bin, "postgres"), "--version").Output()
	if err != nil {
		return "", fmt.Errorf("ask the programs in %s for their version: %w", bin, err)
	}
	version := versionNumber.FindString(string(out))
	if version == "" {
		return "", fmt.Errorf("the programs in %s do not say their version: %q", bin, out)
	}
	return version, nil
}

// settle makes the folder, or takes the kept folder, and locks it.
func (c *cluster) settle(folder string) (err error) {
	if folder == "" {
		return c.settleScratch()
	}
	if c.folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	if len(c.folder) > longestFolder {
		return &UserError{
			fmt.Sprintf("the path %s is longer than %d bytes, too long for a socket in it", c.folder, longestFolder),
			"Name a folder with a shorter path.",
		}
	}
	if err := os.MkdirAll(filepath.Dir(c.folder), 0o755); err != nil {
		return err
	}
	err = os.Mkdir(c.folder, 0o700)
	made := err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if !made {
		if err := c.known(); err != nil {
			return err
		}
	}
	if err := c.owner.Reaches(filepath.Dir(c.folder)); err != nil {
		if made {
			err = errors.Join(err, os.Remove(c.folder))
		}
		return &UserError{err.Error(), "Name a folder that the user can reach, or start as that user."}
	}
	if err := c.owner.Own(c.folder); err != nil {
		return err
	}
	if err := os.Chmod(c.folder, 0o700); err != nil {
		return err
	}
	locked, err := c.takeLock()
	if err == nil && !locked {
		err = &UserError{"another tasker dev uses " + c.folder, "Stop the other one, or name another folder."}
	}
	return err
}

// settleScratch makes a scratch folder in the first suitable place. The folder is removed at the end.
func (c *cluster) settleScratch() error {
	var failures []error
	for _, place := range slices.Compact([]string{os.TempDir(), "/tmp"}) {
		err := c.owner.Reaches(place)
		if err == nil && len(place)+len(scratchPrefix)+12 > longestFolder {
			err = fmt.Errorf("%s is too long for the path of a socket", place)
		}
		if err != nil {
			failures = append(failures, err)
			continue
		}
		sweep(place)
		if c.folder, err = os.MkdirTemp(place, scratchPrefix); err != nil {
			return err
		}
		if _, err := c.takeLock(); err != nil {
			return err
		}
		return c.owner.Own(c.folder)
	}
	return fmt.Errorf("no directory for the data: %w", errors.Join(failures...))
}

// takeLock locks the folder. It returns false if another process has locked the folder.
func (c *cluster) takeLock() (bool, error) {
	lock, err := os.Open(c.folder)
	if err != nil {
		return false, err
	}
	locked, err := tryLock(lock)
	if !locked {
		return false, errors.Join(err, lock.Close())
	}
	c.lock = lock
	return true, nil
}

func tryLock(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// known checks that an existing folder is empty, or has the data of a server that these programs can run as the
// folder's owner.
func (c *cluster) known() error {
	info, err := os.Stat(c.folder)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &UserError{c.folder + " is a file", "Name a folder for the data."}
	}
	version, err := os.ReadFile(filepath.Join(c.data(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(c.folder)
		if err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != newData && e.Name() != logName }) {
			return &UserError{c.folder + " has other files, and no data of tasker dev", "Name an empty folder, or one that does not exist."}
		}
		return err
	}
	if err != nil {
		return err
	}
	if major := strings.TrimSpace(string(version)); major != c.major {
		return &UserError{
			fmt.Sprintf("%s has data of PostgreSQL %s, and the programs in %s are of version %s", c.folder, major, c.bin, c.major),
			"Name programs of version " + major + " with --postgres, or another folder with --data.",
		}
	}
	return c.beOwner()
}

// beOwner makes the server run as the owner of its data.
func (c *cluster) beOwner() error {
	info, err := os.Stat(c.data())
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok, c.owner != nil && owner.Uid == c.owner.uid, c.owner == nil && int(owner.Uid) == os.Geteuid():
		return nil
	case c.owner == nil:
		return &UserError{fmt.Sprintf("the data in %s belongs to user %d", c.folder, owner.Uid), "Start as that user, or name another folder."}
	}
	c.owner = &Account{Name: strconv.Itoa(int(owner.Uid)), uid: owner.Uid, gid: owner.Gid}
	if found, err := user.LookupId(c.owner.Name); err == nil {
		c.owner.Name = found.Username
	}
	return nil
}

const (
	newData = "data.new" // until initdb has ended
	logName = "server.log"
)

// fill runs initdb, unless the folder has a cluster.
func (c *cluster) fill(ctx context.Context) error {
	if _, err := os.Stat(c.data()); err == nil {
		return nil
	}
	made := filepath.Join(c.folder, newData)
	if err := os.RemoveAll(made); err != nil {
		return err
	}
	args := []string{"--pgdata=" + made, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions"}
	if c.scratch {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, "initdb"), args...)
	c.confine(cmd, syscall.SIGKILL)
	// The kernel signals the program when this thread ends, so the thread must not end before the program.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if output, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("initdb of %s: %w\n%s", c.bin, err, bytes.TrimSpace(output))
	}
	return os.Rename(made, c.data())
}

func (c *cluster) openLog() (*os.File, error) {
	return os.OpenFile(filepath.Join(c.folder, logName), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
}

// postgres returns the command that runs the server. A scratch server need not survive a crash of the machine.
func (c *cluster) postgres(ctx context.Context) *exec.Cmd {
	settings := []string{"listen_addresses=", "unix_socket_directories=" + c.folder, "unix_socket_permissions=0700", "logging_collector=off", "log_destination=stderr"}
	if c.scratch {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	args := []string{"-D", c.data()}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(c.bin, "postgres"), args...)
	c.confine(cmd, syscall.SIGQUIT)
	return cmd
}

func (c *cluster) confine(cmd *exec.Cmd, signal syscall.Signal) {
	cmd.Dir = c.folder
	cmd.Env = []string{"PATH=" + c.bin + ":/usr/bin:/bin", "HOME=" + c.folder, "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = ProcessAttributes(c.owner, signal)
}

func (c *cluster) url() string {
	address := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/postgres", RawQuery: url.Values{"host": {c.folder}}.Encode()}
	return address.String()
}

// sweep removes the folders that a killed tasker dev has left in place: folders that are not locked and have no server.
func sweep(place string) {
	folders, err := filepath.Glob(filepath.Join(place, scratchPrefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range folders {
		if info, err := os.Lstat(folder); err != nil || !info.IsDir() {
			continue
		}
		lock, err := os.Open(folder)
		if err != nil {
			continue // another user's
		}
		if locked, err := tryLock(lock); err == nil && locked && !served(folder) {
			_ = os.RemoveAll(folder) // another user's folder stays
		}
		_ = lock.Close()
	}
}

// served says whether a server still runs in a folder.
func served(folder string) bool {
	text, err := os.ReadFile(filepath.Join(folder, "data", "postmaster.pid"))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	return err != nil || !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
