package layers

import (
	"cmp"
	"slices"
)

// Violation is a call that the layers forbid.
type Violation struct {
	// Kind names the rule that forbids the call, such as "kernel calls features".
	Kind           string
	Caller, Callee string
}

// Violations returns the calls that the rule forbids, sorted by kind.
func (g Graph) Violations() (found []Violation) {
	for _, caller := range g {
		for _, name := range caller.Calls {
			if kind := forbidden(caller, g[name]); kind != "" {
				found = append(found, Violation{Kind: kind, Caller: caller.Name, Callee: name})
			}
		}
	}
	slices.SortFunc(found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Callee, b.Callee))
	})
	return found
}

// below lists the layers that a layer may call besides itself.
var below = map[string][]string{
	"kernel":   {"doors"},
	"doors":    {"kernel", "features"},
	"features": {"kernel"},
	"operate":  {"kernel", "doors", "features"},
	"compat":   {"kernel", "doors", "features", "operate"},
	"pgmq":     {"kernel"},
}

// queues are the folders that may call pgmq: the queues of the kernel, and the orchestrator of the source documents, whose
// requests and results are messages.
var queues = []string{"kernel/queue", "compat/orchestrator"}

// borrowed are the functions of tasker that tasklib may call, so that the one-table queue needs no copies of them.
var borrowed = []string{
	"administer", "check_bulk", "check_timezone", "cron_next", "erased_json", "erased_text", "is_too_deep", "log_administration",
	"open_writers", "setting_accepts",
}

// forbidden returns the rule that forbids a call, or "" if the call is allowed.
func forbidden(caller, callee *Object) string {
	from, to := caller.Layer(), callee.Layer()
	// Another test finds objects without a layer.
	if from == "" || to == "" {
		return ""
	}
	if from == "features" && to == "features" {
		if caller.Folder == callee.Folder {
			return ""
		}
		return "feature calls feature"
	}
	if from == "tasklib" && slices.Contains(borrowed, callee.Name) {
		return ""
	}
	if to == "pgmq" && slices.Contains(queues, caller.Folder) {
		return ""
	}
	if from == to || slices.Contains(below[from], to) {
		return ""
	}
	return from + " calls " + to
}
