package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"path"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

//go:embed html
var htmlFiles embed.FS

//go:embed static
var staticFiles embed.FS

// asset is a file that pages load, at a path that changes when its content does.
type asset struct {
	content, gzipped []byte
	kind             string
	url              string
}

var assets = sync.OnceValue(func() map[string]asset {
	found := map[string]asset{}
	entries, err := staticFiles.ReadDir("static")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		content, err := staticFiles.ReadFile("static/" + entry.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(content)
		found[entry.Name()] = asset{
			content: content, gzipped: gzipped(content), kind: mime.TypeByExtension(path.Ext(entry.Name())),
			url: Root + "/static/" + hex.EncodeToString(sum[:8]) + "/" + entry.Name(),
		}
	}
	return found
})

// static answers with an asset, which browsers keep. An asset needs no session, because it has no data of the
// database.
func static(w http.ResponseWriter, r *http.Request) {
	a, found := assets()[r.PathValue("name")]
	if !found || a.url != r.URL.Path {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", a.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	content := a.content
	if takesGzip(w, r) {
		content = a.gzipped
	}
	_, _ = w.Write(content) // The browser may be gone.
}

// gzipped compresses a page or an asset.
func gzipped(content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(content) // A buffer takes everything.
	_ = z.Close()
	return b.Bytes()
}

// takesGzip reports whether the answer is compressed, and sets the headers for it.
func takesGzip(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Add("Vary", "Accept-Encoding")
	takes := strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
	if takes {
		w.Header().Set("Content-Encoding", "gzip")
	}
	return takes
}

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("ui").Funcs(functions).ParseFS(htmlFiles, "html/*.html"))
})

var functions = template.FuncMap{
	"asset": func(name string) string { return assets()[name].url },
	"root":  func() string { return Root },
	"menu":  func() []entry { return menu },
	"themes": func() []string {
		return themes
	},
	"unix":        unixMilli,
	"ago":         agoTime,
	"lasting":     lasting,
	"span":        span,
	"spentOn":     storyKind,
	"took":        took,
	"progressof":  progressOf,
	"percent":     func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
	"sharebar":    shareBar,
	"number":      func(n any) string { return numberOf(n) },
	"plural":      func(n any, what string) string { return count(int64Of(n), what) },
	"bytes":       bytesOf,
	"short":       func(id any) string { return short(uuidOf(id)) },
	"stepno":      stepNo,
	"taskof":      taskOf,
	"cut":         cut,
	"text":        text,
	"pretty":      pretty,
	"empty":       empty,
	"spaced":      func(name any) string { return spaced(plain(name)) },
	"look":        func(state any) look { return lookOf(plain(state)) },
	"join":        strings.Join,
	"dict":        dict,
	"icon":        icon,
	"compact":     func(raw json.RawMessage) string { return cut(string(readable(raw)), 200) },
	"id":          anchor,
	"handlername": handlerName,
	"sqlfunction": sqlFunction,
	"bounded":     bounded,
	"keybounded":  keyBounded,
	"unboundpath": unboundPath,
	"boundpath":   boundPath,
	"evacuate":    evacuatePath,
	// The name of an incident may have a slash.
	"incidentpath":  incidentPath,
	"when":          scheduleWhen,
	"builtin":       builtin,
	"attributetext": attributeText,
	"shown":         shownState,
	"lasted":        lasted,
	"forpeople":     forPeople,
	"notes":         scheduleNotes,
	"awaited":       awaitedEvents,
	"sub32":         func(a, b int32) string { return number(int64(a - b)) },
}

// plain writes a value, or the value behind a pointer.
func plain(v any) string {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && !p.IsNil() {
		v = p.Elem().Interface()
	}
	return fmt.Sprint(v)
}

// entry is an entry of the menu, with the key that opens it after g.
type entry struct{ Path, Name, Section, Key, Icon string }

var menu = []entry{
	{Root, "Overview", "overview", "o", "m-overview"},
	{Root + "/tasks", "Tasks", "tasks", "t", "m-tasks"},
	{Root + "/waits", "Inbox", "waits", "i", "m-inbox"},
	{Root + "/schedules", "Schedules", "schedules", "s", "m-clock"},
	{Root + "/dead-letters", "Dead letters", "dead-letters", "d", "m-dead"},
	{Root + "/mass", "Mass actions", "mass", "m", "m-mass"},
	{Root + "/workers", "Workers", "workers", "w", "m-workers"},
	{Root + "/queues", "Queues", "queues", "q", "m-queues"},
	{Root + "/limits", "Limits", "limits", "l", "m-limits"},
	{Root + "/templates", "Templates", "templates", "e", "m-templates"},
	{Root + "/partitions", "Partitions", "partitions", "p", "m-parts"},
	{Root + "/settings", "Settings", "settings", "c", "m-settings"},
	{Root + "/health", "Health", "health", "h", "m-health"},
}

// dict makes a map of names and values, for templates that take more than one.
func dict(pairs ...any) (map[string]any, error) {
	made := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("the name of a value is a text, not %v", pairs[i])
		}
		made[name] = pairs[i+1]
	}
	return made, nil
}

// unixMilli is a time in milliseconds, as scripts use it. It is 0 if there is no time.
func unixMilli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// agoTime is a time element. It shows the distance from now, and the exact time on hovering.
func agoTime(now time.Time, at any) template.HTML {
	var t time.Time
	switch given := at.(type) {
	case time.Time:
		t = given
	case *time.Time:
		if given == nil {
			return "–"
		}
		t = *given
	}
	t = t.UTC()
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s</time>`, // Times and numbers only.
		t.Format(time.RFC3339Nano), t.Format("2006-01-02 15:04:05.000 UTC"), ago(now, t)))
}

// lasting is a time element with a duration up to now.
func lasting(now time.Time, at any) template.HTML {
	var t time.Time
	switch given := at.(type) {
	case time.Time:
		t = given
	case *time.Time:
		if given == nil {
			return "–"
		}
		t = *given
	}
	t = t.UTC()
	return template.HTML(fmt.Sprintf(`<time datetime="%s" data-span title="since %s">%s</time>`, // Times and numbers only.
		t.Format(time.RFC3339Nano), t.Format("2006-01-02 15:04:05.000 UTC"), span(now.Sub(t).Truncate(time.Second))))
}

// icon refers to a symbol of the layout.
func icon(name string) template.HTML {
	return template.HTML(`<svg class="icon" aria-hidden="true" focusable="false"><use href="#i-` + template.HTMLEscapeString(name) + `"/></svg>`)
}

// anchor makes an id from any text. Different texts have different ids.
func anchor(parts ...any) string {
	sum := sha256.Sum256(fmt.Append(nil, parts...))
	return "x" + hex.EncodeToString(sum[:6])
}

func numberOf(n any) string { return number(int64Of(n)) }

func int64Of(n any) int64 {
	switch n := n.(type) {
	case int:
		return int64(n)
	case int16:
		return int64(n)
	case int32:
		return int64(n)
	case int64:
		return n
	case *int64:
		if n != nil {
			return *n
		}
	case float64:
		return int64(n)
	}
	return 0
}

func uuidOf(id any) uuid.UUID {
	switch id := id.(type) {
	case uuid.UUID:
		return id
	case *uuid.UUID:
		if id != nil {
			return *id
		}
	}
	return uuid.Nil
}
