package page

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Reader follows pages.
type Reader struct {
	// Dir is the directory in which the page begins. It must be empty.
	Dir string
	// Env is the environment of bash and psql.
	Env []string
	// Database is the address that psql connects to.
	Database string
	// Log gets the output of each block.
	Log func(b Block, output string)
}

// Follow follows a page from top to bottom. Its error has every output that differs from the page. It stops at a block that
// cannot be run. At the end it ends background jobs that the page has left.
func (r Reader) Follow(ctx context.Context, p *Page) (err error) {
	scratch, err := os.MkdirTemp("", "page-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	t := &turn{Reader: r, page: p, scratch: scratch}
	defer func() { err = errors.Join(err, t.close()) }()
	var differences []error
	for i, b := range p.Blocks {
		began := time.Now()
		if err := t.block(ctx, i, b); err != nil {
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				err = fmt.Errorf("TIMED OUT: the page's time was up when this block had run for %s: %w", time.Since(began).Round(time.Second), err)
			}
			differences = append(differences, fmt.Errorf("%s:%d: %w", p.Name, b.Line, err))
			if b.Language != "text" {
				break
			}
		}
	}
	return errors.Join(differences...)
}

// turn is one reading of a page.
type turn struct {
	Reader
	page    *Page
	scratch string
	bash    *session
	psql    *session
	output  string // the output of the preceding block
	printed bool
}

func (t *turn) block(ctx context.Context, i int, b Block) error {
	switch {
	case b.Option == "skip" || b.Program() != "" || b.Language == "mermaid" || b.Language == "go" && b.File == "":
		t.printed = false
		return nil
	case b.File != "":
		t.printed = false
		return t.write(b)
	case b.Language == "text":
		return t.compare(b)
	}
	path := filepath.Join(t.scratch, fmt.Sprintf("%d.%s", i, b.Language))
	if err := os.WriteFile(path, []byte(b.Text), 0o600); err != nil {
		return err
	}
	run := t.runSQL
	if b.Language == "sh" {
		run = t.runShell
	}
	output, err := run(ctx, path, b)
	t.output, t.printed = output, true
	t.Log(b, output)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

// write writes a block, without the line that names the file, to a file in the shell's present directory.
func (t *turn) write(b Block) error {
	if !filepath.IsLocal(b.File) {
		return fmt.Errorf("file %q is not below the page's directory", b.File)
	}
	path := filepath.Join(t.Dir, b.File)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.Text), 0o600)
}

func (t *turn) compare(b Block) error {
	if !t.printed {
		return errors.New("there is no command just before this output")
	}
	t.printed = false
	if Same(b.Text, t.output) {
		return nil
	}
	return fmt.Errorf("the page says\n%s\nbut this came\n%s", b.Text, t.output)
}

func (t *turn) runShell(ctx context.Context, path string, _ Block) (string, error) {
	if t.bash == nil {
		s, err := t.start(ctx, "bash", "--noprofile", "--norc")
		if err != nil {
			return "", err
		}
		t.bash = s
		if _, err := t.bash.do(filepath.Join(t.scratch, "bash"), "set -euo pipefail"); err != nil {
			return "", err
		}
	}
	output := path + ".out"
	return t.bash.do(output, fmt.Sprintf(". %s < /dev/null > %s 2>&1", path, output))
}

func (t *turn) runSQL(ctx context.Context, path string, b Block) (string, error) {
	if t.psql == nil {
		s, err := t.start(ctx, "psql", "-X", "-q", t.Database)
		if err != nil {
			return "", err
		}
		t.psql = s
	}
	stop := map[bool]string{true: "off", false: "on"}[b.Option == "error"]
	output := path + ".out"
	text, err := t.psql.do(output, fmt.Sprintf("\\set ON_ERROR_STOP %s\n\\o %s\n\\i %s\n\\o", stop, output, path))
	if b.Option == "error" && err == nil && !strings.Contains(text, "ERROR:") {
		err = errors.New("the page says that this fails, and it did not")
	}
	return text, err
}

func (t *turn) close() error {
	var errs []error
	for _, s := range []*session{t.bash, t.psql} {
		if s != nil {
			errs = append(errs, s.close())
		}
	}
	return errors.Join(errs...)
}

// session is a program that runs commands and reports after each command that the command is done.
type session struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  *bufio.Reader
	echo   string
	stderr string // where the program's own errors go
}

func (t *turn) start(ctx context.Context, name string, args ...string) (*session, error) {
	s := &session{echo: "echo", stderr: filepath.Join(t.scratch, name+".err")}
	if name == "psql" {
		s.echo = `\echo`
	}
	s.cmd = exec.CommandContext(ctx, name, args...)
	s.cmd.Dir, s.cmd.Env = t.Dir, t.Env
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.Cancel = s.kill
	own, err := os.Create(s.stderr)
	if err != nil {
		return nil, err
	}
	defer own.Close() //nolint:errcheck // the program has its own copy
	s.cmd.Stderr = own
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.lines = bufio.NewReader(out)
	return s, s.cmd.Start()
}

const done = "-- the block is done --"

// do has the program run a command and waits for its end. It returns the contents of the file output, followed by the
// program's own errors.
func (s *session) do(output, command string) (string, error) {
	before, err := os.ReadFile(s.stderr)
	if err != nil {
		return "", err
	}
	_, failed := fmt.Fprintf(s.in, "%s\n%s '%s'\n", command, s.echo, done)
	for failed == nil {
		line, err := s.lines.ReadString('\n')
		if strings.TrimSpace(line) == done {
			break
		}
		if err != nil {
			failed = errors.New("the block failed")
		}
	}
	text, err := os.ReadFile(output)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	after, err := os.ReadFile(s.stderr)
	if err != nil {
		return "", err
	}
	return string(text) + string(after[len(before):]), failed
}

// kill ends the program and the jobs that it has left.
func (s *session) kill() error {
	if err := syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

func (s *session) close() error {
	err := errors.Join(s.in.Close(), s.kill())
	_ = s.cmd.Wait() // it was killed
	return err
}
