package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// flagsOfTwoKinds are the names that mean two kinds of value, with the reason.
var flagsOfTwoKinds = map[string]string{
	"after":    "the last thing of the page before: a step, an entry or a message",
	"before":   "the last thing of the page before: an id, or the number of a change",
	"deadline": "a span after a schedule's tick; of a task also a time",
}

func TestFlags_OneNameHasOneMeaningInEveryCommand(t *testing.T) {
	t.Parallel()
	kinds, shorts, names := map[string]string{}, map[string]string{}, map[string]string{}
	for _, use := range flagUses() {
		where := fmt.Sprintf("--%s of %s", use.name, strings.Join(use.commands, ", "))
		if kind, known := kinds[use.name]; known && flagsOfTwoKinds[use.name] == "" {
			require.Equal(t, kind, use.kind, where)
		}
		if short, known := shorts[use.name]; known {
			require.Equal(t, short, use.short, where)
		}
		kinds[use.name], shorts[use.name] = use.kind, use.short
		if use.short == "" {
			continue
		}
		if name, known := names[use.short]; known {
			require.Contains(t, flagsOfOneLetter[use.short], use.name, "-%s is --%s and %s", use.short, name, where)
		}
		names[use.short] = use.name
	}
}

// flagsOfOneLetter are the names that share a short form.
var flagsOfOneLetter = map[string][]string{"s": {"state", "status"}}
