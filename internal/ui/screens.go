package ui

// screens are the pages by their paths below Root.
func screens() map[string]screen {
	return map[string]screen{
		"":                              {section: "overview", template: "overview", takes: []string{"since", "namespace"}, load: loadOverview, mark: markOverview, timed: true, fresh: overviewFresh},
		"/tasks":                        {section: "tasks", template: "tasks", takes: append([]string{"before"}, matchParameters...), sorts: "list_tasks", natural: "-requested_at", load: loadTasks},
		"/tasks/{task_uuid}":            {section: "tasks", template: "task", takes: []string{"show", "state", "after", "graph"}, sorts: "list_steps", natural: "step_no", load: loadTask, mark: markTask},
		"/tasks/{task_uuid}/steps/{no}": {section: "tasks", template: "step", takes: []string{"log"}, load: loadStep, mark: markStep},
		"/search":                       {section: "tasks", template: "search", takes: []string{"q"}, load: loadSearch},
		"/waits":                        {section: "waits", template: "waits", takes: []string{"namespace", "assignee", "signal", "after", "since"}, load: loadWaits},
		"/events":                       {section: "waits", template: "events", takes: []string{"namespace", "name", "before", "at"}, sorts: "list_events", natural: "-sent_at", load: loadEvents},
		"/schedules":                    {section: "schedules", template: "schedules", takes: []string{"namespace"}, sorts: "list_schedules", natural: "schedule", load: loadSchedules},
		"/schedules/{namespace}/{name}": {section: "schedules", template: "schedule", takes: []string{"before"}, sorts: "list_schedule_ticks", natural: "-tick_at", load: loadSchedule},
		"/dead-letters":                 {section: "dead-letters", template: "deadletters", takes: []string{"status", "namespace", "reason", "before"}, sorts: "list_dlq_entries", natural: "-dlq_timestamp", load: loadDeadLetters},
		"/dead-letters/{entry}":         {section: "dead-letters", template: "deadletter", load: loadDeadLetter},
		"/mass":                         {section: "mass", template: "massactions", takes: []string{"state", "before"}, sorts: "list_mass_actions", natural: "-started_at", load: loadMassActions},
		"/mass/{selection}":             {section: "mass", template: "massaction", takes: []string{"state", "after"}, sorts: "list_selection_entries", natural: "entry_no", load: loadMassAction},
		"/workers":                      {section: "workers", template: "workers", takes: []string{"all"}, sorts: "list_workers", natural: "-last_seen_at", load: loadWorkers},
		"/queues":                       {section: "queues", template: "queues", sorts: "get_queue_health", load: loadQueues},
		"/limits":                       {section: "limits", template: "limits", takes: []string{"namespace"}, sorts: "list_limits", natural: "name", load: loadLimits},
		"/limits/{namespace}/{name}":    {section: "limits", template: "limit", sorts: "list_limit_keys", load: loadLimit},
		"/templates":                    {section: "templates", template: "templates", takes: []string{"namespace"}, sorts: "list_task_templates", natural: "name", load: loadTemplates},
		"/templates/{namespace}/{name}/{version}": {section: "templates", template: "template", load: loadTemplate},
		"/partitions":           {section: "partitions", template: "partitions", sorts: "partition_sizes", natural: "starts_at", load: loadPartitions},
		"/settings":             {section: "settings", template: "settings", sorts: "list_settings", natural: "name", load: loadSettings},
		"/incidents/{incident}": {section: "overview", template: "incident", sorts: "list_incident_steps", load: loadIncident},
		"/health":               {section: "health", template: "health", load: loadHealth, mark: markOverview, timed: true, fresh: overviewFresh},
	}
}
