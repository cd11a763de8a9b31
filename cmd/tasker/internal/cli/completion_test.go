//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompletion_WorksInEveryShell has bash, zsh and fish load their script and complete a word. A shell that is not installed is left
// out; its script is printed all the same.
func TestCompletion_WorksInEveryShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tool := "#!/bin/sh\n" + envChild + "=1 exec '" + os.Args[0] + "' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tasker"), []byte(tool), 0o700))
	for shell, script := range map[string]string{
		// bash-completion, which a shell may not have, would split the line.
		"bash": `_get_comp_words_by_ref() { words=(tasker template sch) cword=2 cur=sch prev=template; }
			_init_completion() { _get_comp_words_by_ref; }
			COMP_TYPE=9 COMP_LINE="tasker template sch" COMP_POINT=19
			source "$1" && __start_tasker && printf '%s\n' "${COMPREPLY[@]}"`,
		"zsh":  `autoload -U compinit && compinit -u -D && source "$1" && (( $+functions[_tasker] )) && tasker __complete template sch`,
		"fish": `source $argv[1]; complete --do-complete "tasker template sch"`,
	} {
		r := run(t.Context(), nil, "", "completion", shell)
		require.Equal(t, exitDone, r.code, r.err)
		require.NotEmpty(t, r.out)
		file := filepath.Join(dir, "completion."+shell)
		require.NoError(t, os.WriteFile(file, []byte(r.out), 0o600))
		program, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed: its script was printed, not run", shell)
			continue
		}
		args := []string{"-c", script, shell, file}
		if shell == "fish" {
			args = []string{"-c", script, file}
		}
		completing := exec.CommandContext(t.Context(), program, args...)
		completing.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+dir, "DATABASE_URL=")
		out, err := completing.CombinedOutput()
		require.NoError(t, err, "%s: %s", shell, out)
		require.Contains(t, string(out), "schema", shell)
		require.NotContains(t, string(out), "retire", shell)
	}
}
