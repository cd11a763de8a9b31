// Package diff compares two texts line by line.
package diff

import (
	"slices"
	"strings"
)

// Line is a line of a comparison. Its sign is ' ' if both texts have the line, '-' if only the old text has it, '+' if only the
// new text has it, and '@' in the place of omitted equal lines.
type Line struct {
	Sign byte
	Text string
}

// String returns the line as it is written in a patch.
func (l Line) String() string {
	if l.Sign == '@' {
		return "  …"
	}
	return string(l.Sign) + " " + l.Text
}

// Lines returns the changes from the old text to the new text, with up to `context` equal lines before and after each change.
// It returns nothing if the texts are equal.
func Lines(oldText, newText string, context int) []Line {
	if oldText == newText {
		return nil
	}
	return shorten(compare(split(oldText), split(newText)), context)
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// most is how many pairs of lines are compared at most.
const most = 4_000_000

// compare returns all lines of both texts, by their longest common subsequence. If there are too many pairs of different lines,
// all lines of the old text come before all lines of the new text.
func compare(a, b []string) (lines []Line) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		lines, a, b = append(lines, Line{' ', a[0]}), a[1:], b[1:]
	}
	var same []Line
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		same, a, b = append(same, Line{' ', a[len(a)-1]}), a[:len(a)-1], b[:len(b)-1]
	}
	slices.Reverse(same)

	if len(a)*len(b) > most {
		return slices.Concat(lines, signed('-', a), signed('+', b), same)
	}
	// common[i][j] is the length of the subsequence of a[i:] and b[j:].
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			lines, i, j = append(lines, Line{' ', a[i]}), i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			lines, i = append(lines, Line{'-', a[i]}), i+1
		default:
			lines, j = append(lines, Line{'+', b[j]}), j+1
		}
	}
	return append(lines, same...)
}

func signed(sign byte, texts []string) []Line {
	lines := make([]Line, len(texts))
	for i, text := range texts {
		lines[i] = Line{sign, text}
	}
	return lines
}

// shorten omits the equal lines that are more than `context` lines away from a change.
func shorten(lines []Line, context int) (short []Line) {
	near := make([]bool, len(lines))
	for i, line := range lines {
		if line.Sign == ' ' {
			continue
		}
		for k := max(i-context, 0); k <= min(i+context, len(lines)-1); k++ {
			near[k] = true
		}
	}
	for i, line := range lines {
		switch {
		case near[i]:
			short = append(short, line)
		case i == 0 || near[i-1]:
			short = append(short, Line{Sign: '@'})
		}
	}
	return short
}
