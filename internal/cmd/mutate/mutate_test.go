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

func TestFailedTest_NamesOneThatHangs(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]string{
		"=== CONT  TestA\n--- FAIL: TestA (0.01s)\n    a_test.go:1: no\nFAIL\n":                           "TestA",
		"panic: test timed out after 5m0s\n\trunning tests:\n\t\tTestB (4m59s)\n\ngoroutine 1 [running]:": "TestB",
		"panic: test timed out after 5m0s\nrunning tests:\n\tTestB (4m59s)\n\tTestC (1s)\n":               "TestB",
		"panic: runtime error": unnamed,
	} {
		require.Equal(t, want, failedTest([]byte(out)), "%q", out)
	}
}
