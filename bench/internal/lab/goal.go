package lab

import (
	"fmt"
	"os"
)

// Goal adds a row to the table of goals that `make bench-goals` prints. The row has the measured value, the goal, and the same
// measurement of two equal arms, which shows the noise. PGTASKER_GOALS names the file of the table. Goal does nothing without
// it.
func Goal(what, goal, measured, noise string) error {
	return GoalWithFloor(what, goal, measured, "–", noise)
}

// GoalWithFloor is Goal with a further value in the row: the same measurement of the rows alone (package floor).
func GoalWithFloor(what, goal, measured, floor, noise string) error {
	path := os.Getenv("PGTASKER_GOALS")
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(file, "| %s | %s | %s | %s | %s |\n", what, goal, measured, floor, noise); err != nil {
		return err
	}
	return file.Close()
}
