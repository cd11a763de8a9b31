package ui

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStreams_OneTokenHasItsShareOnly(t *testing.T) {
	t.Parallel()
	w := newWatchers()
	for range share {
		require.True(t, w.admit("a"))
	}
	require.False(t, w.admit("a"), "its share is taken")
	require.True(t, w.admit("b"), "others have theirs")
	w.dismiss("a")
	require.True(t, w.admit("a"), "a stream that ended leaves its place")

	for n := 0; len(w.places) < most; n++ {
		require.True(t, w.admit("many "+strconv.Itoa(n)))
	}
	require.False(t, w.admit("c"), "all are taken")
	w.dismiss("b")
	require.True(t, w.admit("c"))
	require.NotContains(t, w.tokens, "b")
}
