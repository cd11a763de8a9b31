package ui

// screens are the pages by their paths below Root.
func screens() map[string]screen {
	return map[string]screen{
		"":                              {section: "overview", template: "overview", load: loadOverview, mark: markOverview, timed: true, fresh: overviewFresh},
		"/tasks":                        {section: "tasks", template: "tasks", load: loadTasks},
		"/tasks/{task_uuid}":            {section: "tasks", template: "task", load: loadTask, mark: markTask},
		"/tasks/{task_uuid}/steps/{no}": {section: "tasks", template: "step", load: loadStep, mark: markTask},
		"/search":                       {section: "tasks", template: "search", load: loadSearch},
		"/waits":                        {section: "waits", template: "waits", load: loadWaits},
		"/events":                       {section: "waits", template: "events", load: loadEvents},
		"/schedules":                    {section: "schedules", template: "schedules", load: loadSchedules},
		"/schedules/{namespace}/{name}": {section: "schedules", template: "schedule", load: loadSchedule},
		"/dead-letters":                 {section: "dead-letters", template: "deadletters", load: loadDeadLetters},
		"/dead-letters/{entry}":         {section: "dead-letters", template: "deadletter", load: loadDeadLetter},
		"/workers":                      {section: "workers", template: "workers", load: loadWorkers},
		"/queues":                       {section: "queues", template: "queues", load: loadQueues},
		"/limits":                       {section: "limits", template: "limits", load: loadLimits},
		"/limits/{namespace}/{name}":    {section: "limits", template: "limit", load: loadLimit},
		"/templates":                    {section: "templates", template: "templates", load: loadTemplates},
		"/templates/{namespace}/{name}/{version}": {section: "templates", template: "template", load: loadTemplate},
		"/partitions": {section: "partitions", template: "partitions", load: loadPartitions},
		"/settings":   {section: "settings", template: "settings", load: loadSettings},
		"/health":     {section: "health", template: "health", load: loadHealth, mark: markOverview, timed: true, fresh: overviewFresh},
	}
}
