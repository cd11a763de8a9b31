package ui

// screens are the pages by their paths below Root.
func screens() map[string]screen {
	return map[string]screen{
		"":                              {section: "overview", template: "overview", takes: []string{"since", "namespace"}, load: loadOverview, mark: markOverview, timed: true, fresh: overviewFresh},
		"/tasks":                        {section: "tasks", template: "tasks", takes: append([]string{"before", "sort"}, matchParameters...), load: loadTasks},
		"/tasks/{task_uuid}":            {section: "tasks", template: "task", takes: []string{"show", "state", "after", "graph"}, load: loadTask, mark: markTask},
		"/tasks/{task_uuid}/steps/{no}": {section: "tasks", template: "step", load: loadStep, mark: markStep},
		"/search":                       {section: "tasks", template: "search", takes: []string{"q"}, load: loadSearch},
		"/waits":                        {section: "waits", template: "waits", takes: []string{"namespace", "assignee", "signal", "after", "since"}, load: loadWaits},
		"/events":                       {section: "waits", template: "events", takes: []string{"namespace", "name", "before", "at"}, load: loadEvents},
		"/schedules":                    {section: "schedules", template: "schedules", takes: []string{"namespace"}, load: loadSchedules},
		"/schedules/{namespace}/{name}": {section: "schedules", template: "schedule", takes: []string{"before"}, load: loadSchedule},
		"/dead-letters":                 {section: "dead-letters", template: "deadletters", takes: []string{"status", "namespace", "reason", "before"}, load: loadDeadLetters},
		"/dead-letters/{entry}":         {section: "dead-letters", template: "deadletter", load: loadDeadLetter},
		"/mass":                         {section: "mass", template: "massactions", takes: []string{"state", "before"}, load: loadMassActions},
		"/mass/{selection}":             {section: "mass", template: "massaction", takes: []string{"state", "after"}, load: loadMassAction},
		"/workers":                      {section: "workers", template: "workers", takes: []string{"all"}, load: loadWorkers},
		"/queues":                       {section: "queues", template: "queues", load: loadQueues},
		"/limits":                       {section: "limits", template: "limits", takes: []string{"namespace"}, load: loadLimits},
		"/limits/{namespace}/{name}":    {section: "limits", template: "limit", load: loadLimit},
		"/templates":                    {section: "templates", template: "templates", takes: []string{"namespace"}, load: loadTemplates},
		"/templates/{namespace}/{name}/{version}": {section: "templates", template: "template", load: loadTemplate},
		"/partitions":           {section: "partitions", template: "partitions", load: loadPartitions},
		"/settings":             {section: "settings", template: "settings", load: loadSettings},
		"/incidents/{incident}": {section: "overview", template: "incident", load: loadIncident},
		"/health":               {section: "health", template: "health", load: loadHealth, mark: markOverview, timed: true, fresh: overviewFresh},
	}
}
