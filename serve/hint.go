package serve

import (
	"regexp"
	"strings"
	"sync"
)

// others maps functions to their operations if the operation's ID does not follow from the function's name.
var others = map[string]string{
	"register_task_template": "registerTemplate", "validate_task_template": "validateTemplate", "list_dlq_entries": "listDeadLetters",
	"resolve_dlq_entry": "resolveDeadLetter", "reset_task": "resetTask", "subscribe": "setSubscription",
	"unsubscribe": "deleteSubscription", "replay_events": "replaySubscription", "replay_subscription": "replaySubscription",
}

var (
	functionName = regexp.MustCompile(`tasker\.([a-z_]+)(\([^()]*\))?`)
	argumentName = regexp.MustCompile(`\bp_([a-z_]+)( =>)?`)
)

// calls maps the functions of the database to the requests that call them.
var calls = sync.OnceValue(func() map[string]string {
	found := map[string]string{}
	byID := map[string]string{}
	upper := regexp.MustCompile(`[A-Z]`)
	for _, o := range operations {
		name := upper.ReplaceAllStringFunc(o.id, func(letter string) string { return "_" + strings.ToLower(letter) })
		byID[o.id] = o.method + " " + o.path
		found[name] = byID[o.id]
	}
	for function, id := range others {
		if call := byID[id]; call != "" {
			found[function] = call
		}
	}
	return found
})

// overREST rewrites a hint of the database in the words of REST: it replaces functions by requests, and arguments by fields. It
// keeps the name of a function that no request calls.
func overREST(hint string) string {
	hint = functionName.ReplaceAllStringFunc(hint, func(function string) string {
		if call := calls()[functionName.FindStringSubmatch(function)[1]]; call != "" {
			return call
		}
		return function
	})
	return argumentName.ReplaceAllStringFunc(hint, func(argument string) string {
		name, assigned := strings.CutSuffix(strings.TrimPrefix(argument, "p_"), " =>")
		if assigned {
			name += ":"
		}
		return name
	})
}
