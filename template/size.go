package template

import "go.yaml.in/yaml/v3"

// size is the size of a node, with all nodes that its aliases repeat.
type size struct{ nodes, bytes int }

// tooLarge reports whether aliases make a document too large or endless. It is called before the document is decoded, and visits each node
// once, however often aliases repeat the node.
func (d *decoder) tooLarge(root *yaml.Node) bool {
	sizes := map[*yaml.Node]size{}
	var measure func(node *yaml.Node) (size, bool)
	measure = func(node *yaml.Node) (size, bool) {
		target := resolve(node)
		if known, visited := sizes[target]; visited {
			if known.nodes == 0 {
				d.problem(node, "", "contains itself", "")
			}
			return known, known.nodes == 0
		}
		sizes[target] = size{} // until its size is known
		total := size{nodes: 1, bytes: len(target.Value)}
		for _, child := range target.Content {
			part, found := measure(child)
			if found {
				return total, true
			}
			total.nodes += part.nodes
			total.bytes += part.bytes
			if total.nodes > maxNodes || total.bytes > maxBytes {
				d.problem(child, "", "is too large with its aliases", "")
				return total, true
			}
		}
		sizes[target] = total
		return total, false
	}
	_, found := measure(root)
	return found
}
