package modeltest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// rounds calls check for each round with a generator of its own, and names the seed of a round that fails.
func rounds(t *testing.T, normal, soak int, check func(t *testing.T, seed uint64, r *rand.Rand)) {
	t.Helper()
	first, count := uint64(1), normal
	if os.Getenv("PGTASKER_SOAK") != "" {
		count = soak
	}
	if text := os.Getenv("PGTASKER_ROUNDS"); text != "" {
		number, err := strconv.Atoi(text)
		require.NoError(t, err)
		count = number
	}
	if text := os.Getenv("PGTASKER_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		first = seed
		if os.Getenv("PGTASKER_ROUNDS") == "" {
			count = 1
		}
	}
	for seed := first; seed < first+uint64(count) && !t.Failed(); seed++ {
		func() {
			defer func() {
				if t.Failed() {
					t.Logf("this was seed %d: PGTASKER_SEED=%d go test -run '^%s$' ./internal/tests/modeltest", seed, seed, t.Name())
				}
			}()
			check(t, seed, rand.New(rand.NewPCG(seed, 0)))
		}()
	}
}
