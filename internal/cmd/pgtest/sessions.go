package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
)

// sessions run pgTAP files for stand-ins. Files that run one after another share a session, because each session compiles every
// function that it calls. To compile the functions takes longer than most files.
type sessions struct {
	psql     string
	dir      string // the folder from which paths of files are given
	env      []string
	listener net.Listener
	all      []*tapSession
	free     chan *tapSession
	serving  sync.WaitGroup
}

// startSessions starts to listen at a socket for files to run. There is one session for each database.
func startSessions(ctx context.Context, socket, psql, dir string, env, databases []string) (*sessions, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	s := &sessions{psql: psql, dir: dir, env: env, listener: listener, free: make(chan *tapSession, len(databases))}
	for _, name := range databases {
		one := &tapSession{database: name}
		s.all = append(s.all, one)
		s.free <- one
	}
	s.serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // The listener is closed.
			}
			s.serving.Go(func() { s.serve(ctx, conn) })
		}
	})
	return s, nil
}

// close ends each session after the session's present file.
func (s *sessions) close() error {
	err := s.listener.Close()
	for range s.all {
		err = errors.Join(err, (<-s.free).end())
	}
	s.serving.Wait()
	return err
}

func (s *sessions) serve(ctx context.Context, conn net.Conn) {
	defer func() { _ = conn.Close() }() // the stand-in may be gone
	var what request
	if json.NewDecoder(conn).Decode(&what) != nil {
		return
	}
	one := <-s.free
	got, err := s.run(ctx, one, what)
	if one.files >= filesOfSession {
		err = errors.Join(err, one.end())
	}
	s.free <- one
	if err != nil {
		got.Err = err.Error()
	}
	_ = json.NewEncoder(conn).Encode(got)
}

func (s *sessions) run(ctx context.Context, one *tapSession, what request) (answer, error) {
	if one.cmd == nil {
		cmd := exec.CommandContext(ctx, s.psql, what.Args...)
		cmd.Dir, cmd.Stderr = s.dir, os.Stderr
		cmd.Env = append(s.env, "PGDATABASE="+one.database) // the last of two values counts
		if err := one.start(cmd); err != nil {
			return answer{}, err
		}
	}
	return one.run(what.File)
}

// filesOfSession is the number of files after which a session ends. The longer a session lasts, the more relations and plans it
// remembers, and it checks them whenever a file creates a table: after 300 files partition/ took ten times as long.
const filesOfSession = 20

// tapSession is a psql that runs files.
type tapSession struct {
	database string
	cmd      *exec.Cmd // nil before the first file, and after the last
	files    int
	in       io.WriteCloser
	out      *bufio.Reader
	own      map[string]bool // the variables of psql that no file has set
	forget   []string        // the variables that the last file has set
}

// psql prints endOfFile after a file, and endOfList after the list of its variables.
const (
	endOfFile = "pgtest: end of file\n"
	endOfList = "pgtest: end of list\n"
)

// variable matches the lines that psql prints for \set.
var variable = regexp.MustCompile(`^(\w+) = '`)

func (t *tapSession) start(cmd *exec.Cmd) (err error) {
	if t.in, err = cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	t.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		return err
	}
	t.cmd, t.files, t.forget, t.own = cmd, 0, nil, map[string]bool{}
	return nil
}

// run runs a file, which must end its transaction. Afterwards it resets the settings of the session, and drops prepared
// statements, locks, temporary tables and variables of psql. An error ends psql, and with it the session.
func (t *tapSession) run(file string) (answer, error) {
	t.files++
	var script strings.Builder
	for _, name := range t.forget {
		fmt.Fprintf(&script, "\\unset %s\n", name)
	}
	if len(t.own) == 0 {
		script.WriteString("\\set\n")
	}
	fmt.Fprintf(&script, "\\echo %s", endOfList)
	fmt.Fprintf(&script, "\\i '%s'\ndiscard all;\n\\echo %s\\set\n\\echo %s", strings.ReplaceAll(file, "'", "''"), endOfFile, endOfList)
	go func() { _, _ = io.WriteString(t.in, script.String()) }() // psql may end before it has read everything.

	first, open := t.until(endOfList)
	if len(t.own) == 0 {
		for _, name := range variables(first) {
			t.own[name] = true
		}
	}
	got := answer{}
	if open {
		got.Out, open = t.until(endOfFile)
	}
	var last string
	if open {
		last, open = t.until(endOfList)
	}
	t.forget = nil
	for _, name := range variables(last) {
		if !t.own[name] {
			t.forget = append(t.forget, name)
		}
	}
	if open {
		return got, nil
	}
	cmd := t.cmd
	t.cmd = nil
	var err error
	got.Code, err = exitCode(cmd, cmd.Wait())
	if err == nil && got.Code == 0 {
		err = fmt.Errorf("%s ends psql", file)
	}
	return got, err
}

// until reads up to a line. If psql ends first, open is false.
func (t *tapSession) until(mark string) (text string, open bool) {
	var all strings.Builder
	for {
		line, err := t.out.ReadString('\n')
		if line == mark {
			return all.String(), true
		}
		all.WriteString(line)
		if err != nil {
			return all.String(), false
		}
	}
}

func variables(text string) (names []string) {
	for line := range strings.Lines(text) {
		if found := variable.FindStringSubmatch(line); found != nil {
			names = append(names, found[1])
		}
	}
	return names
}

// end ends psql between two files.
func (t *tapSession) end() error {
	if t.cmd == nil {
		return nil
	}
	cmd := t.cmd
	t.cmd = nil
	return errors.Join(t.in.Close(), cmd.Wait())
}
