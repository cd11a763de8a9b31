package cli

import (
	"regexp"
	"strings"
	"sync"
)

// commandsOf maps a database function to its command, for functions whose command is not obvious from its JSON.
var commandsOf = map[string]string{
	"add_step_edge":              "",
	"list_settings":              "tasker settings list",
	"list_dlq_entries":           "tasker dlq list",
	"resolve_dlq_entry":          "tasker dlq resolve",
	"requeue_dlq_entry":          "tasker dlq requeue",
	"explain_step":               "tasker step explain",
	"get_task_execution_context": "tasker task show",
	"get_task":                   "tasker task show",
	"list_steps":                 "tasker task show",
	"list_tasks":                 "tasker task list",
	"register_task_template":     "tasker apply",
	"validate_task_template":     "tasker apply --dry-run",
	"register_namespace":         "tasker namespace register",
	"resume_namespace":           "tasker namespace resume",
	"create_task":                "tasker task create",
	"cancel_task":                "tasker task cancel",
	"reset_task":                 "tasker task reset",
	"fork_task":                  "tasker task fork",
	"pause_task":                 "tasker task pause",
	"resume_task":                "tasker task resume",
	"change_task":                "tasker task change",
	"erase_task":                 "tasker task erase",
	"erase_tasks":                "tasker task erase with filters",
	"export_task":                "tasker task export",
	"get_task_story":             "tasker task explain",
	"check_template_change":      "tasker template check",
	"reset_tasks":                "tasker task reset with filters",
	"cancel_tasks":               "tasker task cancel with filters",
	"retry_steps":                "tasker step retry with filters",
	"resolve_task_manually":      "tasker task resolve",
	"give_up_task":               "tasker task give-up",
	"skip_blocked_run":           "tasker task skip-run",
	"retry_step":                 "tasker step retry",
	"rerun_step":                 "tasker step rerun",
	"resolve_step_manually":      "tasker step resolve",
	"complete_step_manually":     "tasker step complete",
	"complete_step_by_name":      "tasker step complete",
	"apply_retention":            "tasker maintain retention",
	"ensure_partitions":          "tasker maintain partitions",
	"run_maintenance":            "tasker maintain",
	"orchestrate":                "tasker orchestrate",
	"setup_partitioning":         "tasker partition setup",
	"held_partitions":            "tasker partition status",
	"list_partition_ranges":      "tasker partition status",
	"partition_status":           "tasker partition status",
	"evacuate_partition":         "tasker partition evacuate",
	"set_retention":              "tasker partition keep",
	"list_retentions":            "tasker partition kept",
	"set_setting":                "tasker settings set",
	"get_registered_tasks":       "tasker job stats",
	"list_workers":               "tasker worker list",
	"check_installation":         "tasker doctor",
	"list_task_templates":        "tasker template list",
	"list_namespaces":            "tasker namespace list",
}

// byRows is filled by commandsByRows.
var byRows struct {
	once     sync.Once
	commands map[string]string
}

// commandsByRows finds commands by the functions that they name as the source of their JSON.
func commandsByRows() map[string]string {
	byRows.once.Do(func() {
		byRows.commands = map[string]string{}
		for _, leaf := range Leaves(newApp(Process{Getenv: func(string) string { return "" }}).root) {
			for _, function := range sources.FindAllStringSubmatch(leaf.Annotations[jsonAnnotation], -1) {
				if _, known := byRows.commands[function[1]]; !known {
					byRows.commands[function[1]] = leaf.CommandPath()
				}
			}
		}
	})
	return byRows.commands
}

var (
	sources   = regexp.MustCompile(`\b([a-z_]+)\(\)`)
	calls     = regexp.MustCompile(`\b(tasker|tasklib)\.([a-z_]+)(\([^()]*\))?`)
	sending   = regexp.MustCompile(`select \* from tasker\.send_signal\('([0-9a-f-]{36})', '([^']+)', payload\)`)
	emitting  = regexp.MustCompile(`select \* from tasker\.emit_event\('([^']+)', '([^']+)', '([^']*)', payload\)`)
	arguments = regexp.MustCompile(`\bp_([a-z_]+)( => ('[^']*'|[^ .,;)]+))?`)
)

// inOwnWords translates a text of the database into the words of this tool: functions into commands, arguments into flags.
// A function without a command keeps its name.
func inOwnWords(text string) string {
	text = sending.ReplaceAllString(text, "tasker task signal $1 $2 --payload JSON")
	text = emitting.ReplaceAllStringFunc(text, func(call string) string {
		m := emitting.FindStringSubmatch(call)
		return join(" ", "tasker event emit", m[1]+"/"+m[2], shellWord(m[3]), "--payload JSON")
	})
	text = calls.ReplaceAllStringFunc(text, func(call string) string {
		parts := calls.FindStringSubmatch(call)
		command, known := commandsOf[parts[2]]
		if !known {
			command = commandsByRows()[parts[2]]
		}
		if command == "" {
			return call
		}
		// Named arguments become flags. The command's help describes the positional arguments.
		for _, argument := range arguments.FindAllString(parts[3], -1) {
			command += " " + flagOf(argument)
		}
		return command
	})
	return arguments.ReplaceAllStringFunc(text, flagOf)
}

// flagNames has the flags whose name differs from the name of the argument.
var flagNames = map[string]string{
	"identity_key": "key", "identity_ttl": "key-ttl", "debounce_seconds": "debounce", "throttle_limit": "throttle",
	"throttle_seconds": "throttle-period", "every_seconds": "every", "start_at": "start-at", "max_tasks": "limit", "from": "since",
}

// flagOf returns the flag for an argument of a function.
func flagOf(argument string) string {
	parts := arguments.FindStringSubmatch(argument)
	flag := "--" + strings.ReplaceAll(parts[1], "_", "-")
	if name, other := flagNames[parts[1]]; other {
		flag = "--" + name
	}
	if value := strings.Trim(parts[3], "'"); value != "" && value != "true" {
		flag += " " + value
	}
	return flag
}

// shellWord quotes a text if a shell would not take it as one word.
func shellWord(text string) string {
	if text == "" || plainWord.MatchString(text) {
		return text
	}
	return "'" + text + "'"
}

var plainWord = regexp.MustCompile(`^[\w.:/@%+=-]+$`)
