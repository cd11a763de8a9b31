package workflow_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each program in testdata/compile says in a comment which line does not compile, and in which words.
func TestCompiler_RefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	programs, err := filepath.Glob("testdata/compile/*/main.go")
	require.NoError(t, err)
	require.Greater(t, len(programs), 6)
	args := []string{"build", "-gcflags=-e", "-o", os.DevNull}
	for _, program := range programs {
		args = append(args, "./"+filepath.Dir(program))
	}
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	require.Error(t, err)
	for _, program := range programs {
		t.Run(filepath.Base(filepath.Dir(program)), func(t *testing.T) {
			t.Parallel()
			var said []string
			for line := range strings.Lines(string(out)) {
				if _, rest, found := strings.Cut(line, program+":"); found {
					said = append(said, rest)
				}
			}
			line, words := expected(t, program)
			if words == "" {
				require.Empty(t, said, "it compiles")
				return
			}
			require.NotEmpty(t, said, "%s:%d compiles", program, line)
			require.Contains(t, said[0], fmt.Sprintf("%d:", line))
			require.Contains(t, said[0], words)
		})
	}
}

// expected returns the line that does not compile and what the compiler says of it, or nothing.
func expected(t *testing.T, program string) (line int, words string) {
	t.Helper()
	file, err := os.Open(program)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	scanner := bufio.NewScanner(file)
	for n := 1; scanner.Scan(); n++ {
		if _, after, found := strings.Cut(scanner.Text(), "// ERROR "); found {
			return n, after
		}
	}
	require.NoError(t, scanner.Err())
	return 0, ""
}
