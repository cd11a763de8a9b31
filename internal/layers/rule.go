package layers

import (
	"cmp"
	"slices"
)

// Violation is a call that the layers forbid.
type Violation struct {
	// Kind says which rule forbids it, such as "kernel calls features".
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

// below lists which layers a layer may call, beside itself.
var below = map[string][]string{
	"kernel":   {"doors", "pgmq"},
	"doors":    {"kernel", "features"},
	"features": {"kernel", "pgmq"},
	"operate":  {"kernel", "doors", "features", "pgmq"},
	"compat":   {"kernel", "doors", "features", "operate", "pgmq"},
	"pgmq":     {"kernel", "doors", "features", "operate"},
}

// borrowed has the functions of tasker that tasklib may call, because tasklib would have to write them again.
var borrowed = []string{
	"administer", "check_bulk", "check_timezone", "cron_next", "erased_json", "erased_text", "is_too_deep", "log_administration",
	"open_writers", "setting_accepts",
}

// forbidden returns why one object must not call another, or "".
func forbidden(caller, callee *Object) string {
	from, to := caller.Layer(), callee.Layer()
	// Objects of no layer are found by another test.
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
	if from == to || slices.Contains(below[from], to) {
		return ""
	}
	return from + " calls " + to
}
