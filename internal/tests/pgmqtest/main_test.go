package pgmqtest_test

import (
	"os"
	"testing"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// soak is set by "make soak": larger numbers, fresh seeds.
var soak = os.Getenv("PGTASKER_SOAK") != ""
