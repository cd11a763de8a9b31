package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
)

// The pace of pictures.
const (
	watchEvery = 2 * time.Second
	watchLeast = 100 * time.Millisecond
)

// watched adds --watch to a command, which repeats the output until it is interrupted.
func (a *app) watched(command *cobra.Command) *cobra.Command {
	var every time.Duration
	once := command.RunE
	command.Flags().DurationVar(&every, "watch", 0, "repeat the output until interrupted, every two seconds, or with --watch=10s every ten seconds")
	command.Flags().Lookup("watch").NoOptDefVal = watchEvery.String()
	command.RunE = func(command *cobra.Command, args []string) error {
		if !command.Flags().Changed("watch") {
			return once(command, args)
		}
		a.ran = true
		title := strings.Join(append([]string{command.CommandPath()}, args...), " ")
		return a.live(command.Context(), title, every, func(context.Context) error { return once(command, args) })
	}
	return command
}

// live shows the output of round repeatedly until ctx ends, which is its normal end. On a terminal each picture replaces the
// previous picture. Elsewhere, and on a terminal without a cursor, it follows below. If the first round fails, live returns its
// error. The error of a later round is shown in its picture, and the next round is tried.
func (a *app) live(ctx context.Context, title string, every time.Duration, round func(context.Context) error) error {
	if every < watchLeast {
		return &problem{Exit: exitUsage, Message: fmt.Sprintf("--watch is at least %s", watchLeast)}
	}
	screen := &screen{app: a, title: title, every: every}
	defer screen.end()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for first := true; ; first = false {
		picture, err := screen.record(ctx, round)
		failed := err != nil && !errors.Is(err, silent) && !errors.Is(err, silentLook)
		switch {
		case ctx.Err() != nil:
			return nil
		case failed && first:
			return err
		case failed:
			picture += "\n" + a.errs.Paint("tasker: ", term.Red) + term.Clean(describe(err).Message) + "\n"
		}
		if err := screen.draw(picture); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// screen is where pictures are shown.
type screen struct {
	app   *app
	title string
	every time.Duration
	drawn bool
}

// record runs a round and returns its output.
func (s *screen) record(ctx context.Context, round func(context.Context) error) (string, error) {
	a := s.app
	if !a.wide {
		a.out.Resize(a.Getenv)
	}
	var picture bytes.Buffer
	out, errs, plain := a.out.Writer, a.errs.Writer, a.Out
	a.out.Writer, a.errs.Writer, a.Out = &picture, &picture, &picture
	err := round(ctx)
	a.out.Writer, a.errs.Writer, a.Out = out, errs, plain
	return picture.String(), err
}

// draw shows a picture.
func (s *screen) draw(picture string) error {
	a := s.app
	if a.json {
		var line bytes.Buffer // one line for each picture
		if err := json.Compact(&line, []byte(picture)); err != nil {
			return err
		}
		_, err := fmt.Fprintln(a.Out, line.String())
		return err
	}
	heading := fmt.Sprintf("%s  %s, every %s", a.at(time.Now()), s.title, s.every)
	if a.out.Width > 0 {
		heading = term.Cut(heading, a.out.Width)
	}
	heading = a.out.Paint(heading, term.Dim)
	if !a.out.Cursor {
		between := ""
		if s.drawn {
			between = "\n"
		}
		s.drawn = true
		return a.out.Print(between + heading + "\n" + picture)
	}
	lines := strings.Split(strings.TrimSuffix(heading+"\n\n"+picture, "\n"), "\n")
	if most := a.out.Height - 1; most > 0 && len(lines) > most {
		lines = append(lines[:most-1], a.out.Paint(fmt.Sprintf("… %s more", count(len(lines)-most+1, "line")), term.Dim))
	}
	var b strings.Builder
	if !s.drawn {
		b.WriteString("\x1b[?25l\x1b[2J") // hide the cursor, empty the screen
	}
	s.drawn = true
	b.WriteString("\x1b[H")
	for _, line := range lines {
		b.WriteString(line + "\x1b[K\n")
	}
	b.WriteString("\x1b[J")
	return a.out.Print(b.String())
}

// end keeps the last picture, and puts the cursor below it.
func (s *screen) end() {
	if s.drawn && s.app.out.Cursor && !s.app.json {
		_ = s.app.out.Print("\x1b[?25h") // The terminal may be gone.
	}
}
