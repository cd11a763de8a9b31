package serve

import "slices"

// operations is the table: what is here is served and documented, and nothing else is.
var operations = slices.Concat(
	taskOperations, stepOperations, workerOperations, waitOperations, eventOperations, scheduleOperations, templateOperations, namespaceOperations,
	limitOperations, queueOperations, subscriptionOperations, deadLetterOperations, erasureOperations,
	auditOperations, healthOperations, incidentOperations, massOperations, analyticsOperations, settingOperations, partitionOperations,
)
