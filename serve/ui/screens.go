package ui

// screens are the pages by their paths below Root.
func screens() map[string]screen {
	return map[string]screen{
		"":                              {section: "overview", template: "overview", load: loadOverview, mark: markOverview},
		"/tasks":                        {section: "tasks", template: "tasks", load: loadTasks},
		"/tasks/{task_uuid}":            {section: "tasks", template: "task", load: loadTask, mark: markTask},
		"/tasks/{task_uuid}/steps/{no}": {section: "tasks", template: "step", load: loadStep, mark: markTask},
		"/search":                       {section: "tasks", template: "search", load: loadSearch},
	}
}
