package pagetest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	lightTablet = look{"tablet-light", "light", 820, 1180}
	darkTablet  = look{"tablet-dark", "dark", 820, 1180}
)

// allLooks are the looks of the short form, and with PGTASKER_SOAK all: light and dark, desktop, tablet and phone.
func allLooks() []look {
	if os.Getenv("PGTASKER_SOAK") == "" {
		return []look{lightDesktop, darkPhone}
	}
	return []look{lightDesktop, darkDesktop, lightTablet, darkTablet, lightPhone, darkPhone}
}

// grid makes the given number of steps of a graph, five in a row, with names of the given length. The second step has the handler
// broken.
func grid(steps, length int) string {
	name := func(i int) string {
		text := fmt.Sprintf("step_%d_", i)
		return text + strings.Repeat("long_name_", 13)[:max(length-len(text), 0)]
	}
	made := make([]string, steps)
	for i := range made {
		after, handler := "", "many"
		if i >= 5 {
			after = fmt.Sprintf(`, "dependencies": [%q]`, name(i-5))
		}
		if i%5 == 4 && i > 5 {
			after = fmt.Sprintf(`, "dependencies": [%q, %q]`, name(i-5), name(i-6))
		}
		if i == 1 {
			handler = "broken"
		}
		made[i] = fmt.Sprintf(`{"name": %q, "handler": %q, "retry": {"retryable": false}%s}`, name(i), handler, after)
	}
	return "[" + strings.Join(made, ", ") + "]"
}

// Names of 64 and 128 characters and graphs of 5, 50 and 500 steps fit every screen, and are accessible.
func TestPictures_LongNamesAndLargeGraphs(t *testing.T) {
	t.Parallel()
	s := newBareSite(t)
	screens := map[string]string{}
	for _, length := range []int{64, 128} {
		namespace, name := fmt.Sprintf("shop%d", length), strings.Repeat("reconciliation_of_", 8)[:64]
		s.execute(t, `select tasker.register_task_template(jsonb_build_object('namespace', '`+namespace+`', 'name', '`+name+`', 'identity_strategy', 'always_unique', 'steps', '`+grid(5, length)+`'::jsonb))`)
		s.execute(t, `select tasker.set_limit('`+namespace+`', '`+name+`', 5); select tasker.set_schedule('`+namespace+`', '`+name+`', '`+name+`', p_cron => '0 3 * * *')`)
		task := s.query(t, `select task_uuid::text from tasker.create_task('`+namespace+`', '`+name+`', '{}', p_tags => array[repeat('tag-', 16)], p_initiator => repeat('Ann ', 20))`)
		s.workIn(t, namespace, "broken", 1, "the answer of "+strings.Repeat("payment-provider-", 10)+" was not understood")
		prefix := fmt.Sprintf("long%d-", length)
		for screen, path := range map[string]string{
			"overview": "/ui?namespace=" + namespace, "tasks": "/ui/tasks?namespace=" + namespace, "task": "/ui/tasks/" + task, "step": "/ui/tasks/" + task + "/steps/2", "timeline": "/ui/tasks/" + task + "?show=timeline",
			"templates": "/ui/templates?namespace=" + namespace, "template": "/ui/templates/" + namespace + "/" + name + "/0.1.0", "limits": "/ui/limits?namespace=" + namespace,
			"limit": "/ui/limits/" + namespace + "/" + name, "schedules": "/ui/schedules?namespace=" + namespace, "schedule": "/ui/schedules/" + namespace + "/" + name, "queues": "/ui/queues",
			"pause": "/ui/templates/" + namespace + "/" + name + "/0.1.0/pause",
		} {
			screens[prefix+screen] = path
		}
	}
	for _, steps := range []int{5, 50, 500} {
		name := fmt.Sprintf("graph%d", steps)
		s.execute(t, `select tasker.register_task_template(jsonb_build_object('namespace', 'graphs', 'name', '`+name+`', 'identity_strategy', 'always_unique', 'steps', '`+grid(steps, 24)+`'::jsonb))`)
		screens[name] = "/ui/tasks/" + s.query(t, `select task_uuid::text from tasker.create_task('graphs', '`+name+`', '{}')`)
		s.workIn(t, "graphs", "broken", 1, "the disk is full")
	}
	s.execute(t, `select count(*) from tasker.run_maintenance('incidents')`)
	for _, l := range allLooks() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, s.url, l)
			p.login(t, s.token)
			for _, name := range slices.Sorted(maps.Keys(screens)) {
				if name == "graph500" { // axe takes long for so many rows: TestGraph_Of500StepsOpensFolded has it on a desktop.
					p.visit(t, screens[name])
					require.LessOrEqual(t, value[int64](t, p, "document.documentElement.scrollWidth"), l.width, name)
					keepPicture(t, p, l, name)
					continue
				}
				p.requireFits(t, l, name, screens[name])
			}
		})
	}
}
