package template

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Load reads the templates of a YAML stream, one for each document that is not empty. Its error joins all mistakes that were found, each as
// an [*Error]. Without an error, Load returns at least one template.
func Load(r io.Reader) ([]*Template, error) { return load(r, "") }

// LoadFile is Load of a file. Its errors have the name of the file.
func LoadFile(name string) ([]*Template, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // The file was only read.
	return load(file, name)
}

func load(r io.Reader, file string) ([]*Template, error) {
	var (
		templates []*Template
		problems  []error
	)
	documents := yaml.NewDecoder(r)
	for {
		var document yaml.Node
		if err := documents.Decode(&document); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			// After an error the reader cannot find the beginning of the next document.
			problems = append(problems, syntaxError(err, file))
			break
		}
		if len(document.Content) == 0 || isNull(document.Content[0]) {
			continue
		}
		d := decoder{template: &Template{file: file, lines: map[string]int{}}}
		d.template.lines[""] = document.Content[0].Line
		d.document(document.Content[0])
		templates = append(templates, d.template)
		problems = append(problems, d.problems...)
	}

	if len(templates) == 0 && len(problems) == 0 {
		problems = append(problems, &Error{File: file, Problem: "there is no template in it"})
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return templates, nil
}

var lineOfSyntaxError = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func syntaxError(err error, file string) error {
	match := lineOfSyntaxError.FindStringSubmatch(err.Error())
	if match == nil {
		return fmt.Errorf("read template: %w", err)
	}
	line, _ := strconv.Atoi(match[1])
	return &Error{File: file, Line: line, Problem: "is not YAML: " + strings.TrimPrefix(err.Error(), match[0])}
}
