package main

import (
	"strings"
	"unicode"
)

// initialisms are the words that Go writes in capitals.
var initialisms = map[string]string{
	"uuid": "UUID", "uuids": "UUIDs", "id": "ID", "ids": "IDs", "dag": "DAG", "dlq": "DLQ", "gc": "GC", "ttl": "TTL", "json": "JSON", "url": "URL",
}

// methodName is the Go name of a SQL function: get_current_task_state is GetCurrentTaskState.
func methodName(function string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(function, "_") {
		b.WriteString(capitalised(word))
	}
	return b.String()
}

// sqlName is the SQL name of a method.
func sqlName(method string) string {
	var words []string
	for _, word := range split(method) {
		words = append(words, strings.ToLower(word))
	}
	return strings.Join(words, "_")
}

// exported is a name of package gen as Go spells it: GcIdentities is GCIdentities.
func exported(name string) string {
	var b strings.Builder
	for _, word := range split(name) {
		b.WriteString(capitalised(word))
	}
	return b.String()
}

// unexported is the name of a parameter as Go spells it: taskUuid is taskUUID. sqlc's prefix arg tells a parameter from a
// package.
func unexported(name string) string {
	words := split(name)
	if words[0] == "arg" && len(words) > 1 {
		words = words[1:]
	}
	first := strings.ToLower(words[0])
	if len(words) == 1 && packages[first] != "" {
		return "arg" + capitalised(first)
	}
	return first + exported(strings.Join(words[1:], ""))
}

func capitalised(word string) string {
	if written := initialisms[strings.ToLower(word)]; written != "" {
		return written
	}
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// split returns the words of a name in Go's spelling: GetDLQEntry is Get, DLQ, Entry.
func split(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	for i := 1; i < len(runes); i++ {
		upper := unicode.IsUpper(runes[i])
		lowerBefore := unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])
		lowerAfter := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		// The plural s of UUIDs belongs to the preceding word.
		plural := lowerAfter && runes[i+1] == 's' && (i+2 == len(runes) || unicode.IsUpper(runes[i+2]))
		if upper && (lowerBefore || lowerAfter && !plural) {
			words = append(words, string(runes[start:i]))
			start = i
		}
	}
	return append(words, string(runes[start:]))
}
