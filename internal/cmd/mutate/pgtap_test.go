package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGreen_WantsEveryPlannedTestToPass(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]bool{
		"1..2\nok 1 - a\nok 2 - b\n":                         true,
		"ok 1 - a\n1..1\n":                                   true,
		"1..1\nnot ok 1 - a # TODO later\n":                  true,
		"1..2\nok 1 - a\n":                                   false,
		"1..1\nnot ok 1 - a\n# Failed test 1: \"a\"\n":       false,
		"1..1\nok 1 - a\nok 2 - b\n# Looks like you planned": false,
		"": false,
	} {
		require.Equal(t, want, green([]byte(out)), "%q", out)
	}
}
