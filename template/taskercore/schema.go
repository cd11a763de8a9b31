package taskercore

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// schemaWords are the keywords of JSON Schema that the schema of a template's input may have.
var schemaWords = []string{
	"type", "properties", "required", "enum", "minimum", "maximum", "maxLength", "items", "title", "description", "default", "format", "examples",
}

// schema returns a schema with the keywords that the database knows, and notes the others.
func (c *converter) schema(node *yaml.Node, path string) any {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind != yaml.MappingNode {
		var value any
		if node.Decode(&value) != nil {
			return nil
		}
		return value
	}
	kept := map[string]any{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		word, value := node.Content[i].Value, node.Content[i+1]
		at := path + "." + word
		switch {
		case word == "properties" && value.Kind == yaml.MappingNode:
			properties := map[string]any{}
			for j := 0; j+1 < len(value.Content); j += 2 {
				name := value.Content[j].Value
				properties[name] = c.schema(value.Content[j+1], at+"."+name)
			}
			kept[word] = properties
		case word == "items":
			kept[word] = c.schema(value, at)
		case word == "const":
			var only any
			if value.Decode(&only) == nil {
				kept["enum"] = []any{only}
			}
		case slices.Contains(schemaWords, word):
			var said any
			if value.Decode(&said) == nil {
				kept[word] = said
			}
		case word == "additionalProperties" && value.Value == "true", word == "$schema":
		default:
			c.note(node.Content[i], at, "the database does not check it: let the first step do it.")
		}
	}
	return kept
}
