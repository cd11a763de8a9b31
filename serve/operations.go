package serve

import "slices"

// operations is the table of operations. The server serves and documents exactly these operations.
var operations = slices.Concat(
	taskOperations, stepOperations, streamOperations, workerOperations, waitOperations, eventOperations, scheduleOperations, templateOperations, namespaceOperations,
	limitOperations, runOperations, attributeOperations, queueOperations, subscriptionOperations, deadLetterOperations, erasureOperations,
	auditOperations, healthOperations, incidentOperations, massOperations, analyticsOperations, settingOperations, partitionOperations,
)
