// Package template reads task templates from YAML.
//
// A file holds one template or several, separated by "---":
//
//	namespace: shipping
//	name: order
//	version: 1.2.0
//	steps:
//	  - name: reserve
//	  - name: charge
//	    retry: {max_attempts: 5, base_seconds: 2, max_seconds: 300}
//	  - name: ship
//	    handler: shipping.ship
//	    dependencies:
//	      - reserve
//	      - {step: charge, when: $.paid == true}
//
// Reading is strict: an unknown or repeated field and a value of the wrong kind are errors, each with its line. All errors of a file are
// reported together. The database checks the values of the fields when the template is registered. [Template.Problem] finds the line of a
// problem.
//
//	file ──▶ Load ──▶ Template ──▶ JSON ──▶ tasker.register_task_template
//	                     ▲                            │
//	                     └── Problem(path) ◀── "steps[2].join: …"
//
// The table tasker.template_fields lists all fields with their bounds.
package template
