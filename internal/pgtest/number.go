package pgtest

import (
	"fmt"
	"os"
	"strconv"
)

// Number returns the number in an environment variable, or otherwise if the variable is not set: how long a storm lasts and how much
// it does. It panics if the variable holds anything else, so that a misspelt value does not run the short form instead.
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
