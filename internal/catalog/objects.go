package catalog

import "strings"

// Object is one object of the database with the lines that describe it.
type Object struct {
	Name  string // with its kind: "table tasker.tasks"
	Lines []string
}

// Objects are the objects of a snapshot, ordered by name.
type Objects []Object

// String returns the objects as text: names at the margin, their descriptions indented.
func (o Objects) String() string {
	var text strings.Builder
	for _, object := range o {
		text.WriteString(object.Name + "\n")
		for _, line := range object.Lines {
			text.WriteString("  " + line + "\n")
		}
	}
	return text.String()
}

// Diff returns the differences of got from want, or "" if there are none. It lists the names of objects that differ. If both
// have the object, its differing lines stand below its name. A minus sign marks a line that is only in want, a plus sign a line
// that is only in got.
func Diff(want, got Objects) string {
	var text strings.Builder
	for len(want) > 0 || len(got) > 0 {
		switch {
		case len(got) == 0 || len(want) > 0 && want[0].Name < got[0].Name:
			text.WriteString("-" + want[0].Name + "\n")
			want = want[1:]
		case len(want) == 0 || got[0].Name < want[0].Name:
			text.WriteString("+" + got[0].Name + "\n")
			got = got[1:]
		default:
			if lines := DiffLines(want[0].Lines, got[0].Lines); len(lines) > 0 {
				text.WriteString(" " + want[0].Name + "\n")
				for _, line := range lines {
					text.WriteString(line[:1] + "  " + line[1:] + "\n")
				}
			}
			want, got = want[1:], got[1:]
		}
	}
	return text.String()
}

// DiffLines returns the differing lines in their order, as few as possible. A minus sign marks a line that is only in
// want, a plus sign a line that is only in got.
func DiffLines(want, got []string) []string {
	for len(want) > 0 && len(got) > 0 && want[0] == got[0] {
		want, got = want[1:], got[1:]
	}
	for len(want) > 0 && len(got) > 0 && want[len(want)-1] == got[len(got)-1] {
		want, got = want[:len(want)-1], got[:len(got)-1]
	}

	// common[i][j] is the number of lines that want[i:] and got[j:] have in common, in the same order.
	common := make([][]int, len(want)+1)
	for i := range common {
		common[i] = make([]int, len(got)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			if want[i] == got[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}

	var diff []string
	i, j := 0, 0
	for i < len(want) || j < len(got) {
		switch {
		case i < len(want) && j < len(got) && want[i] == got[j]:
			i, j = i+1, j+1
		case j == len(got) || i < len(want) && common[i+1][j] >= common[i][j+1]:
			diff = append(diff, "-"+want[i])
			i++
		default:
			diff = append(diff, "+"+got[j])
			j++
		}
	}
	return diff
}
