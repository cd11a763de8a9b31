package cli

import (
	"regexp"
	"slices"
	"testing"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// lines are the commands that print a log, a text or a script, whose long lines the terminal wraps.
var lines = map[string]bool{
	"migrate dump": true, "task export": true, "template convert": true, "template schema": true, "orchestrate": true, "relay": true, "serve": true, "worker demo": true, "demo": true, "dev": true,
}

// variation is a part of an output that differs from run to run, and its replacement in captures.
type variation struct {
	what *regexp.Regexp
	with string
}

// varying has the commands whose output depends on the server, the machine, the clock, chance or the newest migration.
var varying = func() map[string][]variation {
	replace := func(pairs ...string) (variations []variation) {
		for i := 0; i < len(pairs); i += 2 {
			variations = append(variations, variation{regexp.MustCompile(`(?m)` + pairs[i]), pairs[i+1]})
		}
		return variations
	}
	logs := replace(
		`time=\S+`, "time=TIME",
		`address=\S+`, "address=ADDRESS",
		`login \\"[^"\\]+\\"`, `login \"ROLE\"`,
		`^(start|event|due|fallback) .*`, "$1 …",
	)
	migrations := replace(
		`^(● +)\d+  \w+\n(?:● .*\n)*`, "${1}VERSION         NAME\n…\n",
		`^applied .*\n(?:applied .*\n)*`, "applied VERSION_NAME\n…\n",
		`\b\d{14}_\w+`, "VERSION_NAME",
		`\b\d+ migrations`, "33 migrations",
		`(?s)\nbegin;.*`, "\nbegin;\n…\n",
	)
	partitions := replace(
		`^([0-9-]+ +[0-9-]+ +\w+) +\d+ +\d+  `, "$1  N  N  ",
		`\d[\d.]* [kMG]?B +`, "SIZE  ",
		`\d[\d.]* [kMG]?B\b`, "SIZE",
		`SIZE +(WHY|in)\b`, "SIZE $1",
		`made by [^:]+: .*(?:\n  .*)*`, "made by MANAGER",
	)
	return map[string][]variation{
		"demo": replace(
			`^(?:\d{4}-\d\d-\d\d .*\n(?:  .*\n)*)+`, "TIME STATE, N of 4 steps settled\n…\n",
			`^AFTER +WHAT\n(?:\S* +\S.*\n)+`, "AFTER  WHAT\n…\n",
			`\d+ms ago|\d+s ago|just now`, "AGO",
			`order \d+`, "order NUMBER",
			`^((?:reserve|charge|pack|ship) +(?:yes|no) .*\n)+`, "…\n",
		),
		"doctor": slices.Concat(migrations, replace(
			`^[✓!✗] ( +(?:clock|server|durability|roles|timeouts|partitions|pgmq|pg_cron|pg_partman|snapshots|autovacuum|locks) +).*\n(?:  .*\n)*`, "? $1…\n",
			`^\d+ ok.*`, "N ok, N warnings",
		)),
		"migrate up": migrations, "migrate down": migrations, "migrate status": migrations, "migrate dump": migrations,
		"dev":         replace(`DATABASE_URL='.*'`, "DATABASE_URL='…'", `127\.0\.0\.1:\d+`, "127.0.0.1:PORT"),
		"orchestrate": logs, "serve": logs, "relay": logs,
		"partition setup": partitions, "partition status": partitions,
		"partition growth":   replace(`\d[\d.]*`, "N", `N [kMG]?B`, "SIZE"),
		"partition maintain": replace(`^(statistics +)\d.*\n(?:statistics.*\n)*`, "$1…\n"),
		"task erasures":      replace(`\b[0-9a-f]{16}$`, "DIGEST"),
		"template schema":    replace(`(?s)^\{.*`, "{ … }\n"),
		"task export":        replace(`(?s)^\{.*`, "{ … }\n"),
		"queue list":         replace(`\d+s$`, "AGE"),
		"queue stats":        replace(`\d+s$`, "AGE"),
		"queue peek": replace(
			`AGE +READ`, "AGE  READ",
			`\d+d\d*h? +(\d+)`, "AGE  $1",
			`(\{"\w+": ").*$`, "$1…",
		),
		"settings list": replace(`(?s)\nclaim_bytes .*`, "\n…\n"),
		"version":       slices.Concat(migrations, replace(`go1\S+`, "go1", `(tasker +)\S+`, "${1}VERSION")),
		"worker demo":   replace(`^(?:\d{4}-\d\d-\d\d .*\n)+`, "TIME  shop/order  TASK  STEP N/N  OUTCOME  RESULT\n…\n"),
	}
}()

// addProcesses adds the commands that run until they are interrupted, and the commands that need a database of their own.
func (s *scene) addProcesses(t *testing.T) {
	t.Helper()
	empty := pgtest.NewEmpty(t)
	add := func(c captured) { s.commands = append(s.commands, c) }
	for _, args := range []string{"migrate up", "migrate up", "migrate down --yes", "migrate dump"} {
		add(captured{pool: empty, args: args})
	}
	own := pgtest.New(t)
	add(captured{pool: own, args: "demo"})
	add(captured{pool: own, args: "dev --listen 127.0.0.1:0", until: "Stop with Ctrl+C."})
	worked := pgtest.New(t)
	must(t, worked, "apply", ordersYAML)
	createTask(t, worked, "shop/order", "-c", `{"number": 7, "customer": "Ada", "cents": 1299}`)
	add(captured{pool: worked, args: "worker demo --until-idle --pace 0"})
	add(captured{pool: worked, args: "orchestrate --once"})
	add(captured{pool: worked, args: "orchestrate --no-listen --poll 0", until: "msg=orchestrating"})
	add(captured{pool: worked, args: "serve --listen 127.0.0.1:0", until: "msg=serving"})
	add(captured{pool: worked, args: "relay", until: "msg=relaying"})
}
