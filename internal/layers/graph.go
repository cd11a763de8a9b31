package layers

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Object is a function of db/schema, or another object whose definition may call functions: a table, a view or a trigger.
type Object struct {
	// Name is the function's name, with its schema if the schema is not tasker. The names of other objects begin with
	// their kind: "view:tasks".
	Name       string
	IsFunction bool
	Lines      int
	// Calls are the names of the functions and views that the object's definition uses, sorted.
	Calls []string
	// Writes are the tables of schema tasker that the definition inserts into, updates or deletes from, sorted.
	Writes []string
	// Folder is the layer and the room, such as kernel/move. The folder is empty if the object belongs to no layer, such as a
	// row type.
	Folder string
}

// Layer is the first part of the folder.
func (o *Object) Layer() string {
	layer, _, _ := strings.Cut(o.Folder, "/")
	return layer
}

// Graph holds the objects by name.
type Graph map[string]*Object

var (
	createdFunction = regexp.MustCompile(`(?m)^create (?:or replace )?(?:function|procedure) (tasker|tasklib|tasker_pgmq)\.(\w+)`)
	commentLine     = regexp.MustCompile(`--[^\n]*`)
	commentOn       = regexp.MustCompile(`(?ms)^comment on .*?;\s*$`)
	dynamic         = regexp.MustCompile(`\bexecute\b[^;]*;`)
	literal         = regexp.MustCompile(`'(?:[^']|'')*'`)
	call            = regexp.MustCompile(`\b(tasker|tasklib|pgmq|tasker_pgmq)\.(\w+)\s*\(`)
	written         = regexp.MustCompile(`\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?tasker\.(\w+)`)
	read            = regexp.MustCompile(`\b(?:from|join|update|into)\s+tasker\.(\w+)`)
)

// Read returns the graph of the tree of db/schema.
func Read(schema fs.FS) (Graph, error) {
	graph, bodies := Graph{}, map[string]string{}
	err := fs.WalkDir(schema, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".sql" || file == "schema.sql" {
			return err
		}
		text, err := fs.ReadFile(schema, file)
		if err != nil {
			return err
		}
		object := &Object{Name: nameOf(file, string(text)), Lines: strings.Count(string(text), "\n"), Folder: folderOf(file)}
		object.IsFunction = !strings.Contains(object.Name, ":")
		graph[object.Name], bodies[object.Name] = object, code(string(text))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, object := range graph {
		object.Calls = graph.callsIn(name, bodies[name])
		for _, match := range written.FindAllStringSubmatch(bodies[name], -1) {
			if graph["table:"+match[1]] != nil && !slices.Contains(object.Writes, match[1]) {
				object.Writes = append(object.Writes, match[1])
			}
		}
		slices.Sort(object.Writes)
	}
	return graph, nil
}

func nameOf(file, text string) string {
	if created := createdFunction.FindStringSubmatch(text); created != nil {
		return qualified(created[1], created[2])
	}
	kind, _, _ := strings.Cut(file, "/")
	kinds := map[string]string{"tables": "table", "views": "view", "triggers": "trigger", "compat": "compatview"}
	if short := kinds[kind]; short != "" {
		return short + ":" + strings.TrimSuffix(path.Base(file), ".sql")
	}
	return "file:" + file
}

// folderOf returns the layer and the room of a file: functions/kernel/move/private/apply_move.sql is of kernel/move.
func folderOf(file string) string {
	parts := strings.Split(file, "/")
	switch parts[0] {
	case "functions", "tables", "views", "triggers":
		if len(parts) > 3 {
			return parts[1] + "/" + parts[2]
		}
	case "compat":
		return "compat/views"
	case "tasklib", "pgmq":
		return parts[0]
	}
	return ""
}

func qualified(schema, name string) string {
	if schema == "tasker" {
		return name
	}
	// The schema tasker_pgmq has pgtasker's own pgmq. The schema is renamed to pgmq if the database has no other pgmq.
	return strings.TrimPrefix(schema, "tasker_") + "." + name
}

// code returns a definition without comments and without texts, since a hint that names a function does not call it. Texts
// that are executed as statements stay.
func code(text string) string {
	text = commentOn.ReplaceAllString(commentLine.ReplaceAllString(text, ""), "")
	var kept strings.Builder
	end := 0
	for _, at := range dynamic.FindAllStringIndex(text, -1) {
		kept.WriteString(literal.ReplaceAllString(text[end:at[0]], "''"))
		statement := text[at[0]:at[1]]
		if strings.HasPrefix(statement, "execute function") || strings.HasPrefix(statement, "execute procedure") {
			statement = literal.ReplaceAllString(statement, "''")
		}
		kept.WriteString(statement)
		end = at[1]
	}
	kept.WriteString(literal.ReplaceAllString(text[end:], "''"))
	return kept.String()
}

func (g Graph) callsIn(caller, body string) []string {
	found := map[string]bool{}
	for _, match := range call.FindAllStringSubmatch(body, -1) {
		if name := qualified(match[1], match[2]); g[name] != nil && name != caller {
			found[name] = true
		}
	}
	for _, match := range read.FindAllStringSubmatch(body, -1) {
		if name := "view:" + match[1]; g[name] != nil {
			found[name] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Reached returns the functions that a call of root may execute, without passing a door. Functions of pgmq are left out, since
// a database may have another pgmq.
func (g Graph) Reached(root string) (names []string) {
	seen := map[string]bool{}
	for todo := []string{root}; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		object := g[name]
		if object == nil || seen[name] || !object.IsFunction || object.Layer() == "doors" || object.Layer() == "pgmq" {
			continue
		}
		seen[name] = true
		todo = append(todo, object.Calls...)
	}
	return slices.Sorted(maps.Keys(seen))
}

// Circles returns the groups of folders that call one another in a circle. Calls through doors do not count. The largest group
// comes first.
func (g Graph) Circles() (circles [][]string) {
	next := map[string]map[string]bool{}
	for _, caller := range g {
		for _, name := range caller.Calls {
			from, to := caller.Folder, g[name].Folder
			if !caller.IsFunction || !g[name].IsFunction || from == to || from == "" || to == "" || caller.Layer() == "doors" || g[name].Layer() == "doors" {
				continue
			}
			if next[from] == nil {
				next[from] = map[string]bool{}
			}
			next[from][to] = true
		}
	}
	// Two folders are in one circle if each reaches the other.
	reached := map[string]map[string]bool{}
	for folder := range next {
		reached[folder] = map[string]bool{}
		for todo := slices.Collect(maps.Keys(next[folder])); len(todo) > 0; todo = todo[1:] {
			if !reached[folder][todo[0]] {
				reached[folder][todo[0]] = true
				todo = slices.AppendSeq(todo, maps.Keys(next[todo[0]]))
			}
		}
	}
	placed := map[string]bool{}
	for _, folder := range slices.Sorted(maps.Keys(next)) {
		if placed[folder] || !reached[folder][folder] {
			continue
		}
		circle := []string{folder}
		for other := range reached[folder] {
			if other != folder && reached[other][folder] {
				circle = append(circle, other)
			}
		}
		for _, name := range circle {
			placed[name] = true
		}
		slices.Sort(circle)
		circles = append(circles, circle)
	}
	slices.SortStableFunc(circles, func(a, b []string) int { return len(b) - len(a) })
	return circles
}
