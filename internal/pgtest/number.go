package pgtest

import (
	"fmt"
	"os"
	"strconv"
)

// Number returns the number in an environment variable, such as the length of a storm of calls. It returns otherwise if the variable
// is not set. It panics if the variable holds no number, so that a misspelt value does not run the short form instead.
func Number(variable string, otherwise int) int {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("%s=%q is not a number", variable, text))
	}
	return n
}
