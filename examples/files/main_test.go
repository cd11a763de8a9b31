package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestRun_CountsTheWordsOfAllFiles(t *testing.T) {
	t.Parallel()
	var files []string
	for _, text := range []string{"one", "two words", "and three words\nor so", ""} {
		name := filepath.Join(t.TempDir(), "text")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		files = append(files, name)
	}
	var said strings.Builder
	require.NoError(t, run(t.Context(), pgtest.New(t), &said, files))
	require.Equal(t, "complete: 8 words in 4 files\n", said.String())
}

func TestRun_SaysThatAFileIsMissing(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	require.ErrorContains(t, run(t.Context(), pgtest.New(t), &said, []string{"no such file"}), "could not be read")
}
