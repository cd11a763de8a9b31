package release

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pgtasker/pgtasker/internal/modules"
)

// library is a part of a program: a module, or Go's own library.
type library struct {
	modules.Source
	licence string // its identifier in the list of SPDX, or several joined by AND
	texts   []string
	on      []string // the platforms whose programs have it
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-._].*)?$`)

// licences has the phrases that identify the text of a licence, the most specific phrase first.
var licences = []struct {
	id      string
	phrases []string
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0, January 2004"}},
	{"Apache-2.0", []string{"Licensed under the Apache License, Version 2.0"}},
	{"MPL-2.0", []string{"Mozilla Public License", "2.0"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "endorse or promote products derived"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	{"MIT", []string{"Permission is hereby granted, free of charge", "The above copyright notice and this permission notice shall be"}},
	{"ISC", []string{"Permission to use, copy, modify, and/or distribute this software"}},
}

// identify returns the identifiers of the licences in a text.
func identify(text string) []string {
	text = strings.Join(strings.Fields(text), " ")
	var found []string
	for _, licence := range licences {
		known := !slices.ContainsFunc(licence.phrases, func(phrase string) bool { return !strings.Contains(text, phrase) })
		within := licence.id == "BSD-2-Clause" && slices.Contains(found, "BSD-3-Clause")
		if known && !within && !slices.Contains(found, licence.id) {
			found = append(found, licence.id)
		}
	}
	return found
}

// readLicence reads the licence in a folder.
func (l *library) readLicence() error {
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return err
	}
	var ids []string
	for _, entry := range entries {
		if entry.IsDir() || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(l.Dir, entry.Name()))
		if err != nil {
			return err
		}
		l.texts = append(l.texts, fmt.Sprintf("-- %s --\n\n%s\n", entry.Name(), strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))))
		for _, id := range identify(string(text)) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return fmt.Errorf("%s@%s has no licence that is known: add it to package release, if it may be shipped", l.Path, l.Version)
	}
	l.licence = strings.Join(ids, " AND ")
	return nil
}

// goLibrary returns Go's own library, which every program has.
func goLibrary(ctx context.Context, version string) (*library, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	return &library{Source: modules.Source{Path: "std", Version: strings.TrimPrefix(version, "go"), Dir: strings.TrimSpace(string(root))}}, err
}

// licenceTexts returns LICENCES.txt: the licences of all libraries that are compiled into the programs.
func licenceTexts(libraries []*library) []byte {
	var b strings.Builder
	b.WriteString("The programs of pgtasker have these libraries compiled in. pgtasker's own licence is in LICENSE.\n")
	for _, l := range libraries {
		name := l.Path
		if name == "std" {
			name = "The library of Go"
		}
		fmt.Fprintf(&b, "\n%s\n%s %s: %s\n%s\n\n%s", strings.Repeat("=", 80), name, l.Version, l.licence, strings.Repeat("=", 80), strings.Join(l.texts, "\n"))
	}
	return []byte(b.String())
}
