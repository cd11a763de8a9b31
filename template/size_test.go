package template_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/template"
)

// This test is not parallel, because it measures allocations.
func TestLoad_DoesNotExpandAliasesToFindThatTheyAreTooLarge(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("namespace: shop\nname: order\nsteps:\n- name: a\n  initialization:\n    a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := range 20 {
		fmt.Fprintf(&bomb, "    a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := template.Load(strings.NewReader(bomb.String()))
	runtime.ReadMemStats(&after)
	require.ErrorContains(t, err, "is too large with its aliases")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(10<<20))
}
