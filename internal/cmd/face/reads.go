package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	definition = regexp.MustCompile(`(?s)create or replace function tasker\.(\w+)\((.*?)\nas \$|create or replace function tasker\.(\w+)\((.*?)\n(?:begin atomic|return )`)
	volatility = regexp.MustCompile(`(?m)^\s*(stable|immutable)\b`)
	queryName  = regexp.MustCompile(`^-- name: (\w+) :\w+\n`)
	called     = regexp.MustCompile(`\btasker\.(\w+)\s*\(`)
)

// readSteady returns the SQL functions that are declared stable or immutable, whatever their arguments.
func readSteady(folder string) (map[string]bool, error) {
	steady := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".sql" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range definition.FindAllStringSubmatch(string(text), -1) {
			name := match[1] + match[3]
			other, known := steady[name]
			steady[name] = volatility.MatchString(match[2]+match[4]) && (other || !known)
		}
		return nil
	})
	return steady, err
}

// reads returns the table of the queries that only read. Such a query is a select and calls only functions that write
// nothing.
func reads(queries []string, steady map[string]bool) string {
	names := map[string]bool{}
	for _, text := range queries {
		name := queryName.FindStringSubmatch(text)
		if name == nil || !strings.HasPrefix(strings.TrimPrefix(text, name[0]), "select") {
			continue
		}
		only := true
		for _, function := range called.FindAllStringSubmatch(text, -1) {
			only = only && steady[function[1]]
		}
		if only {
			names[name[1]] = true
		}
	}
	var b strings.Builder
	b.WriteString("// reading are the queries of package gen that only read, so a standby can run them.\nvar reading = map[string]bool{\n")
	for _, name := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&b, "%q: true,\n", name)
	}
	return b.String() + "}\n"
}
