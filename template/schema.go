package template

import _ "embed"

//go:embed template.schema.json
var schema string

// Schema returns the JSON Schema of one document of a template file, for editors. The schema is generated from tasker.template_fields, by
// which the database checks templates. The schema refuses no template that the database accepts. Only the database refuses mistakes between
// steps, such as a dependency on a step that does not exist.
func Schema() string { return schema }
