package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

var update = flag.Bool("update", false, "write testdata/captures anew")

// TestCaptures_FitTheirWidth runs every command on the same database at 80 and at 120 columns, and compares what it
// prints with testdata/captures. go test -run Captures -update writes these files again; check the difference.
func TestCaptures_FitTheirWidth(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 120} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			captureAll(t, width)
		})
	}
}

func captureAll(t *testing.T, width int) {
	s := newScene(t)
	files := map[string]int{}
	var names []string
	for _, command := range Leaves(newApp(Process{Getenv: os.Getenv}).root) {
		names = append(names, strings.TrimPrefix(command.CommandPath(), "tasker "))
	}
	seen := map[string]bool{}
	ids := &idScrubber{known: map[string]string{}}
	for _, c := range s.commands {
		name := ""
		for _, candidate := range names {
			if strings.HasPrefix(c.args+" ", candidate+" ") && len(candidate) > len(name) {
				name = candidate
			}
		}
		require.NotEmpty(t, name, c.args)
		seen[name] = true
		out := c.run(t, width)
		if !lines[name] && !strings.Contains(c.args, "--wide") {
			for line := range strings.Lines(out) {
				require.LessOrEqual(t, term.Width(strings.TrimRight(line, "\n")), width, "%s\n%s", c.args, out)
			}
		}
		scrubber := ids
		if variations, varies := varying[name]; varies {
			scrubber = &idScrubber{known: map[string]string{}}
			for _, v := range variations {
				out = v.what.ReplaceAllString(out, v.with)
			}
		}
		scrubber.compare(t, filepath.Join("testdata", "captures", fmt.Sprint(width), c.file(files)), scrubber.scrub("$ tasker "+filePath.ReplaceAllString(c.args, "FILE")+"\n"+out))
	}
	for _, name := range names {
		require.True(t, seen[name], "tasker %s has no capture: add it to the commands of newScene, then go test -run Captures -update", name)
	}
}

// run returns the output of the command. A command that does not end is interrupted when it has printed until.
func (c captured) run(t *testing.T, width int) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := watch(c.until)
	if c.until != "" {
		go func() {
			select {
			case <-out.seen:
			case <-time.After(time.Minute):
			}
			cancel()
		}()
	}
	code := Main(ctx, Process{
		Args: splitWords(c.args), In: strings.NewReader(c.input), Out: out, Err: out, Width: width,
		Getenv: func(name string) string {
			return map[string]string{"DATABASE_URL": pgtest.URL(c.pool), "TZ": "UTC"}[name]
		},
	})
	require.Contains(t, []int{exitDone, exitNo, exitLook}, code, "%s\n%s", c.args, out.String())
	require.Contains(t, out.String(), c.until, c.args)
	return out.String()
}

// splitWords splits a command line at blanks, except within single quotes.
func splitWords(line string) []string {
	var words []string
	for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
		words = append(words, strings.Trim(word, "'"))
	}
	return words
}

// idScrubber replaces ids that differ at each run with fixed digits.
type idScrubber struct{ known map[string]string }

var (
	wholeIDs = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{8})([0-9a-f]{4})`)
	shortIDs = regexp.MustCompile(`\b[0-9a-f]{8}\b`)
	sizes    = regexp.MustCompile(`\b\d+(\.\d)? ([kMG]?)B\b`)
	secrets  = regexp.MustCompile(`tasker_[A-Za-z0-9_-]{43}`)
	filePath = regexp.MustCompile(`/tmp/\S+`)
	links    = regexp.MustCompile(`(connections +)\d+ of \d+`)
)

func (s *idScrubber) digits(id string) string {
	if _, known := s.known[id]; !known {
		s.known[id] = fmt.Sprintf("1d%06d", len(s.known)+1)
	}
	return s.known[id]
}

func (s *idScrubber) scrub(text string) string {
	text = wholeIDs.ReplaceAllStringFunc(text, func(id string) string {
		parts := wholeIDs.FindStringSubmatch(id)
		number := parts[2] // the step number, if the id is a step's
		if id[14] != '7' || !strings.HasPrefix(number, "000") {
			number = "0000"
		}
		return "01234567-89ab-7cde-8f01-" + s.digits(parts[1]) + number
	})
	text = shortIDs.ReplaceAllStringFunc(text, func(id string) string {
		if id == "01234567" || strings.HasPrefix(id, "1d0") {
			return id
		}
		return s.digits(id)
	})
	text = sizes.ReplaceAllStringFunc(text, func(size string) string { return regexp.MustCompile(`\d`).ReplaceAllString(size, "1") })
	text = filePath.ReplaceAllString(text, "FILE")
	text = secrets.ReplaceAllString(text, "tasker_TOKEN")
	return links.ReplaceAllString(text, "${1}7 of 100")
}

func (s *idScrubber) compare(t *testing.T, path, have string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(have), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "go test -run Captures -update writes it")
	require.Equal(t, string(want), have, "%s; go test -run Captures -update writes it anew", path)
}

// captured is a command line and the database that it runs on.
type captured struct {
	pool  *pgxpool.Pool
	args  string
	input string
	until string // what a command that does not end prints before it is interrupted
}

// file returns the file name of a capture, after its command line; used counts the names that are in use.
func (c captured) file(used map[string]int) string {
	name := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{8}\b`).ReplaceAllString(c.args, "id")
	name = filePath.ReplaceAllString(name, "file")
	name = strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name), "_"), "_")
	if used[name]++; used[name] > 1 {
		name += fmt.Sprintf("_%d", used[name])
	}
	return name + ".txt"
}

// scene is a database in the year 2050 that has rows of every kind, and the commands that run on it.
type scene struct {
	pool     *pgxpool.Pool
	commands []captured
}

const replenish = `namespace: warehouse_north
name: replenish_the_shelves
version: 12.10.3
description: Fill every shelf that has run low before the shop opens in the morning
identity_strategy: caller_provided
steps:
  - name: count_what_is_left
    handler: inventory.count_what_is_left
  - name: order_from_supplier
    handler: purchasing.order_from_supplier
    dependencies: [count_what_is_left]
`

const deliver = `namespace: warehouse_north
name: deliver
version: 1.0.0
identity_strategy: always_unique
steps:
  - name: announce_the_delivery
    handler: purchasing.announce_the_delivery
    limit: supplier
    limit_key: $.supplier
`

const stocktaking = `
namespace: halls
name: stocktaking
identity_strategy: always_unique
runs: {key: $.hall, sequence: true}
attributes: {hall: {type: number, context: $.hall}}
steps:
  - name: count
`

func newScene(t *testing.T) *scene {
	t.Helper()
	pool := pgtest.New(t)
	s := &scene{pool: pool}
	execute(t, pool, "select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days')")
	execute(t, pool, "select tasker_test.freeze_tasklib('2050-03-02 12:00+00')")
	execute(t, pool, "select tasker_test.freeze('2050-03-02 12:00+00')")
	// Claim numbers are random without this, and longer numbers need wider columns.
	execute(t, pool, `create or replace function tasker.next_claim_no(p_claim_no integer) returns integer language sql
		begin atomic select p_claim_no + 1; end`)
	execute(t, pool, "select from tasker.note_objects()")
	pgtest.StepsRole(t, pool)
	orderFile := file(t, "order.yaml", order)
	must(t, pool, "apply", orderFile, file(t, "replenish.yaml", replenish))
	e := direct.New(pool)
	pass := func(d time.Duration) { execute(t, pool, "select tasker_test.pass($1)", d) }
	claim := func(name string, worker uuid.UUID, failure string, namespaces ...string) {
		_, err := e.RegisterWorker(t.Context(), sqlfn.RegisterWorkerParams{WorkerUUID: worker, Name: name, Namespaces: namespaces})
		require.NoError(t, err)
		claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: worker, Limit: 1, Namespaces: namespaces})
		require.NoError(t, err)
		for _, step := range claimed {
			result := direct.StepResult{
				StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
				Error:     failure, Permanent: true, ExecutionTime: 1500 * time.Millisecond,
			}
			switch failure {
			case "keep":
				continue
			case "":
				result.Results = json.RawMessage(`{"paid": true, "receipt": "R-2050-03-02"}`)
				_, err = e.CompleteSteps(t.Context(), []direct.StepResult{result})
			default:
				_, err = e.FailSteps(t.Context(), []direct.StepResult{result})
			}
			require.NoError(t, err)
		}
		pass(7 * time.Second)
	}
	first, second := uuid.New(), uuid.New()
	done := createTask(t, pool, "shop/order", "-c", `{"order": 1}`)
	for range 4 {
		claim("vm-shop-1:908", first, "", "shop")
	}
	blocked := createTask(t, pool, "shop/order", "-c", `{"order": 2, "customer": "Ada Lovelace", "lines": [{"article": "A-1", "pieces": 12}]}`, "-t", "vip", "-t", "north", "--reason", "by telephone")
	claim("vm-shop-1:908", first, "502 Bad Gateway from https://payments.example.com/v3/charges: the upstream server did not answer within 30 seconds", "shop")
	filling := createTask(t, pool, "warehouse_north/replenish_the_shelves", "--key", "shelves-2050-03-02", "-t", "nightly", "--initiator", "scheduler")
	claim("vm-warehouse-with-a-long-name-17:4711#2", second, "keep", "warehouse_north")
	running := createTask(t, pool, "shop/order", "-c", `{"order": 3}`, "--priority", "7", "--deadline", "26h")
	claim("vm-shop-1:908", first, "", "shop")
	claim("vm-shop-1:908", first, "keep", "shop")
	entry := openDLQEntry(t, pool, blocked)
	requeued := openDLQEntry(t, pool, running)
	must(t, pool, "namespace", "register", "shop", "--transport", "pgmq", "--description", "Orders and returns of the shop in the high street")
	_, err := e.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
		QueueName: "worker_shop_queue", Message: json.RawMessage(`{"step": "reserve", "note": "a message that is longer than a terminal of eighty columns has room for"}`),
	})
	require.NoError(t, err)
	execute(t, pool, `select from tasklib.register_task('send_a_reminder_by_email', '{"max_retries": 0}')`)
	job := submitJob(t, pool, "send_a_reminder_by_email", "--kwargs", `{"to": "ada@example.org"}`)
	failJobOf(t, pool, "send_a_reminder_by_email", "vm-mail-3:12", "550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown in local recipient table")
	waiting := submitJob(t, pool, "send_a_reminder_by_email", "--delay", "10m")
	pass(10 * time.Minute)
	execute(t, pool, "select from tasker.run_maintenance('rollups')")
	execute(t, pool, "select from tasker.run_maintenance('incidents')")
	var cause string
	require.NoError(t, pool.QueryRow(t.Context(), "select 'failing:' || min(c.fingerprint) from tasker.error_causes as c").Scan(&cause))
	execute(t, pool, "update tasker.workflow_steps set lease_until = tasker.clock() + interval '40 s' where state = 'in_progress'")
	execute(t, pool, "update tasker.step_queue set visible_at = tasker.clock() + interval '40 s' where visible_at > '2050-03-02 12:00:20+00'")

	lost := createTask(t, pool, "shop/order", "-c", `{"order": 5}`)
	pass(time.Second)
	lost2 := createTask(t, pool, "shop/order", "-c", `{"order": 6}`)
	for range 2 {
		claim("vm-shop-1:908", first, "out of stock", "shop")
	}

	must(t, pool, "apply", file(t, "stocktaking.yaml", stocktaking))
	counted := createTask(t, pool, "halls/stocktaking", "-c", `{"hall": 7}`)
	pass(time.Second)
	createTask(t, pool, "halls/stocktaking", "-c", `{"hall": 7}`)
	claim("vm-hall-7:3", uuid.New(), "the scanner has no battery", "halls")
	execute(t, pool, `select from tasker.workflow_steps as s
		cross join lateral tasker.append_items(s.workflow_step_uuid, s.claim_no, 'log', '[
		  {"time": "2050-03-02T12:01:00Z", "level": "INFO", "msg": "asked the bank", "amount": 42}, {"time": "2050-03-02T12:01:09Z", "level": "WARN", "msg": "the bank takes long"}]')
		where s.task_uuid = $1 and s.state = 'in_progress'`, running)

	held := pgtest.New(t, pgtest.MaxConns(1))
	execute(t, held, "select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days')")
	execute(t, held, "select tasker_test.make_old_task('41 days', 'pending')")

	var set string
	require.NoError(t, pool.QueryRow(t.Context(), `select selection_uuid::text from tasker.create_selection('tasks', '{"namespace": "shop", "state": "blocked_by_failures"}', p_actor => 'ann')`).Scan(&set))

	on := func(pool *pgxpool.Pool, lines ...string) {
		for _, line := range lines {
			s.commands = append(s.commands, captured{pool: pool, args: line})
		}
	}
	on(pool, "task list", "task list --tag vip", "task list --key shelves-2050-03-02", "task show "+done, "task show "+short(blocked),
		"task show key:shelves-2050-03-02", "task show "+running, "task tree tag:vip", "task history "+blocked, "task wait "+done,
		"task explain "+done, "task explain "+short(blocked), "task export "+done+" --without-payloads", "task replay "+file(t, "task.json", must(t, pool, "task", "export", done)),
		"task log "+running+" charge", "task runs halls/stocktaking 7", "task pause "+running+" --reason 'the bank is closed'", "step explain "+running+" ship", "task change "+running+" --priority 10 --deadline 48h", "task resume "+running, "task skip-run "+counted+" --reason 'hall 7 is closed'", "task attributes halls", "step show "+short(blocked)+".1", "step explain "+running+" ship", "step explain "+blocked+" pack", "step history "+blocked+" reserve",
		"worker list", "worker list --all", "top --once", "health", "incidents list", "incidents show "+cause, "incidents steps "+cause, "incidents acknowledge "+cause+" --reason 'the bank is told' --until 2h", "incidents rules", "stats",
		"handler pause shop/reserve --until 2h --reason 'the warehouse counts its shelves'", "handler list", "handler resume shop/reserve",
		"template pause shop/order --until 2h --shared --reason 'it charges twice'", "template resume shop/order",
		"selection create tasks -n shop -s blocked_by_failures", "selection show "+set, "selection entries "+set,
		"mass start "+set+" reset --entries 3 --reason 'the stock is counted' --per-minute 60", "mass list", "mass show "+set,
		"mass stop "+set+" --reason 'the count was wrong'", "mass resume "+set, "mass stop "+set,
		"slow steps", "slow tasks",
		"queue list", "queue peek worker_shop_queue", "queue stats worker_shop_queue", "namespace list",
		"template list", "template check "+orderFile, "template check "+file(t, "next.yaml", strings.NewReplacer("version: 1.0.0", "version: 1.1.0", "name: pack", "name: box").Replace(strings.Replace(order, ", pack]", ", box]", 1))), "template show shop/order", "template show warehouse_north/replenish_the_shelves",
		"settings show lease_seconds", "settings list", "settings set lease_seconds 120", "settings list --changed",
		"audit task "+done, "audit step "+blocked+" reserve", "audit worker vm-shop-1:908", "audit correlation "+done,
		"audit range --since 1h", "audit range --failed", "audit changes --kind limits", "audit check",
		"dlq list", "dlq show "+short(entry), "dlq dashboard", "dlq requeue --all --dry-run",
		"task give-up "+lost, "task reset "+lost, "task resolve "+lost2,
		"job list", "job show "+job, "job stats", "job schedule nightly send_a_reminder_by_email --cron '0 2 * * *' --timezone Europe/Berlin",
		"job schedules", "job retry "+short(job), "job cancel "+short(waiting), "job erase "+short(waiting)+" --reason 'request 17 of the customer'", "job pause send_a_reminder_by_email",
		"job resume send_a_reminder_by_email", "job submit send_a_reminder_by_email", "job unschedule nightly", "job purge --until 1h --yes",
		"task reset --namespace shop --dry-run", "step retry --namespace shop --dry-run", "task cancel --namespace shop --state blocked_by_failures --dry-run", "task reset --namespace shop --yes --reason 'the bank is back'", "step retry "+blocked+" --all",
		"task fork "+lost+" charge --cancel --reason 'charged in the wrong currency'",
		"step retry "+blocked+" reserve", "dlq create "+filling+" --notes 'what takes so long?'",
		"dlq resolve "+short(entry)+" --as permanently_failed --notes 'not worth it'", "dlq requeue "+requeued+" --notes 'seen'",
		"step complete "+running+" charge --results '{\"paid\": true}'", "step rerun "+running+" charge --dry-run",
		"step rerun "+running+" charge --results '{\"paid\": false}' --reason 'the bank says so'", "step resolve "+running+" pack", "task cancel "+running+" --reason 'called off'",
		"task erase --tag vip --dry-run", "task erase "+running+" --reason 'request 17 of the customer' --actor ann --yes", "task erasures",
		"task create shop/order --context '{\"order\": 4}'", "namespace pause shop", "namespace list --wide", "namespace resume shop",
		"namespace register warehouse_south", "partition growth", "partition keep shop --for '7 years'", "partition kept", "partition setup", "partition maintain", "maintain rollups",
		"schedule set shop/nightly order --cron '0 2 * * *' --timezone Europe/Berlin", "schedule set warehouse_north/every_quarter_of_an_hour replenish_the_shelves --every 15m",
		"schedule list", "schedule run shop/nightly", "schedule show shop/nightly", "schedule pause warehouse_north/every_quarter_of_an_hour --actor ann",
		"schedule resume warehouse_north/every_quarter_of_an_hour", "schedule backfill warehouse_north/every_quarter_of_an_hour --since 2h --until 1h",
		"schedule delete warehouse_north/every_quarter_of_an_hour",
		"inbox list", "task signal "+filling+" paid", "inbox answer "+short(filling)+".2 approved --payload '{\"ok\": true}'",
		"event test shop/market_open", "event emit shop/market_open XETRA --payload '{\"at\": 9}' --key evt", "event emit shop/market_open XETRA --key evt", "event list",
		"subscription create billing -n shop --kind task --to-state complete,error --webhook https://example.org/hooks/pgtasker",
		"subscription create every_transition_of_the_warehouse -n warehouse_north", "subscription list", "subscription show billing",
		"subscription replay billing --since 1h", "subscription drop billing",
		"access map groups=staff", "access map groups=shop-ops --role operator --namespaces shop", "access list", "access unmap groups=staff", "session list", "session end --person ann@corp.example",
		"token create shop-dashboard --role reader --namespaces shop", "token list", "token revoke shop-dashboard",
		"limit set shop/stripe --concurrency 20", "limit set warehouse_north/supplier --concurrency 2 --rate 100 --per 1m --burst 5 --actor ann",
		"apply "+file(t, "deliver.yaml", deliver), "task create warehouse_north/deliver --context '{\"supplier\": \"Meyer & Sons, Hamburg\"}'",
		"limit set warehouse_north/supplier --key 'Meyer & Sons, Hamburg' --concurrency 50 --reason 'a partner'",
		"limit list", "limit show warehouse_north/supplier", "limit drop warehouse_north/supplier --key 'Meyer & Sons, Hamburg'", "limit drop shop/stripe", "limit drop warehouse_north/supplier",
		"sql list", "sql bind shop "+pgtest.StepsRoleName+" --reason 'orders are booked in SQL'", "sql list", "sql run", "sql unbind shop",
		"apply "+orderFile, "template retire shop/order@1.0.0", "template convert "+file(t, "pay.yaml", ofTaskerCore), "template schema", "doctor", "migrate status", "version")
	on(held, "partition status", "partition evacuate 2050-01-17T00:00:00Z")
	s.addProcesses(t)
	return s
}
