package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// openTerminal returns both ends of a pseudo-terminal of this size. The output of a program that writes to terminal is read
// from master.
func openTerminal(t *testing.T, columns, lines uint16) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = master.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	resize(t, terminal, columns, lines)
	return master, terminal
}

func resize(t *testing.T, terminal *os.File, columns, lines uint16) {
	t.Helper()
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: lines}))
}

// onTerminal runs a command on a pseudo-terminal. It calls look with all output so far after each write, and interrupts the
// command when look returns true. It returns the output and the exit code.
func onTerminal(t *testing.T, address, terminalType string, look func(written string, terminal *os.File) bool, args ...string) (string, int) {
	t.Helper()
	master, terminal := openTerminal(t, 60, 12)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, Process{
			Args: args, In: terminal, Out: terminal, Err: terminal,
			Getenv: func(name string) string {
				return map[string]string{"DATABASE_URL": address, "TERM": terminalType, "TZ": "UTC"}[name]
			},
		})
		_ = terminal.Close() // the master reads the end of the output then
	}()
	var written strings.Builder
	piece := make([]byte, 4096)
	for {
		n, err := master.Read(piece)
		written.Write(piece[:n])
		if look(written.String(), terminal) {
			stop()
		}
		if err != nil {
			require.ErrorIs(t, err, unix.EIO) // the error on Linux when the terminal is closed
			break
		}
	}
	return strings.ReplaceAll(written.String(), "\r\n", "\n"), <-code
}

func TestTop_DrawsOverItselfInATerminalAndLeavesItClean(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	resized := false
	out, code := onTerminal(t, pgtest.URL(pool), "xterm", func(written string, terminal *os.File) bool {
		pictures := strings.Count(written, "\x1b[H")
		if pictures == 2 && !resized {
			resized = true
			resize(t, terminal, 40, 5)
		}
		return pictures > 4
	}, "top", "--every", "100ms")
	require.Equal(t, exitDone, code, "being interrupted is its normal end")
	require.True(t, strings.HasPrefix(out, "\x1b[?25l\x1b[2J\x1b[H"), "the cursor is hidden, the screen emptied")
	require.True(t, strings.HasSuffix(out, "\x1b[J\x1b[?25h"), "the cursor is shown again below the last picture")
	require.Contains(t, out, short(task))

	pictures := strings.Split(out, "\x1b[H")[1:]
	for i, picture := range pictures {
		require.LessOrEqual(t, strings.Count(picture, "\n"), 11, "a picture leaves the last line to the cursor")
		if i == len(pictures)-1 {
			require.LessOrEqual(t, strings.Count(picture, "\n"), 4, "it follows the size of the terminal")
			require.Contains(t, picture, "lines more")
		}
	}
}

func TestWatch_WritesNoSequencesToADumbTerminal(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	out, code := onTerminal(t, pgtest.URL(pool), "dumb", func(written string, _ *os.File) bool {
		return strings.Count(written, short(task)) > 2
	}, "task", "list", "--watch=100ms")
	require.Equal(t, exitDone, code)
	require.NotContains(t, out, "\x1b")
	for line := range strings.Lines(out) {
		require.LessOrEqual(t, len([]rune(line)), 61)
	}
}
