package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLeaseFor_FitsTheTimeoutOfACall(t *testing.T) {
	t.Parallel()
	require.Equal(t, 30*time.Second, leaseFor(15*time.Second))
	require.Equal(t, 30*time.Second, leaseFor(24*time.Second))
	require.Equal(t, 75*time.Second, leaseFor(time.Minute))
}
