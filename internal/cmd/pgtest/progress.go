package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"
	"time"
)

// every is the time between two lines of progress.
const every = 10 * time.Second

// passed is pg_prove's line for a file that has passed.
var passed = regexp.MustCompile(`^\S+\.sql \.+ ok\s*$`)

// progress receives pg_prove's output. It counts the files that pass, and passes on everything else.
type progress struct {
	out   io.Writer
	total int
	began time.Time

	mu      sync.Mutex
	done    int
	rest    []byte // an unfinished line
	stopped chan struct{}
	ended   sync.WaitGroup
}

// newProgress prints the progress of the run until close is called.
func newProgress(out io.Writer, total int) *progress {
	p := &progress{out: out, total: total, began: time.Now(), stopped: make(chan struct{})}
	p.ended.Go(p.tell)
	return p
}

func (p *progress) tell() {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-p.stopped:
			return
		case <-tick.C:
			p.mu.Lock()
			_, _ = fmt.Fprintf(p.out, "  %d of %d files, %s\n", p.done, p.total, time.Since(p.began).Round(time.Second))
			p.mu.Unlock()
		}
	}
}

// Write takes the output of pg_prove, line by line.
func (p *progress) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest = append(p.rest, text...)
	for {
		end := bytes.IndexByte(p.rest, '\n')
		if end < 0 {
			return len(text), nil
		}
		line := p.rest[:end+1]
		if passed.Match(line) {
			p.done++
		} else if _, err := p.out.Write(line); err != nil {
			return 0, err
		}
		p.rest = p.rest[end+1:]
	}
}

// close passes on the rest.
func (p *progress) close() error {
	close(p.stopped)
	p.ended.Wait()
	_, err := p.out.Write(p.rest)
	return err
}
