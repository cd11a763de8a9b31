package docs

import (
	"fmt"
	"strings"
)

const end = "<!-- end -->"

// ReplacePart returns text with the generated part of this name replaced by body.
func ReplacePart(text, name, body string) (string, error) {
	begin := "<!-- generated: " + name + " -->"
	head, rest, ok := strings.Cut(text, begin+"\n")
	if !ok {
		return "", fmt.Errorf("no line %q", begin)
	}
	_, tail, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("no line %q after %q", end, begin)
	}
	return head + begin + "\n" + strings.TrimRight(body, "\n") + "\n" + end + tail, nil
}
