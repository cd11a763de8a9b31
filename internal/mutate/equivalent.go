package mutate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ReadEquivalent reads internal/mutate/equivalent.txt, the mutations that make no difference: the reason for each by its
// [Mutation.Key].
func ReadEquivalent(root string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "internal", "mutate", "equivalent.txt"))
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	key := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, "\t"):
			if key != "" {
				return nil, fmt.Errorf("equivalent.txt gives no reason for: %s", key)
			}
			key = line
		case key == "":
			return nil, fmt.Errorf("equivalent.txt has a reason without a change: %s", line)
		default:
			reasons[key], key = strings.TrimSpace(line), ""
		}
	}
	if key != "" {
		return nil, fmt.Errorf("equivalent.txt gives no reason for: %s", key)
	}
	return reasons, nil
}
