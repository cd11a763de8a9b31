package serve

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// decode reads the arguments of an operation from a request into a new struct of its type.
func (s *Server) decode(w http.ResponseWriter, r *http.Request, o *operation) (any, error) {
	in := reflect.New(o.in)
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, malformed("the query of the URL cannot be read", "Percent-encode what is special in it.")
	}
	known := []string{}
	for _, f := range parameters(o.in) {
		value := in.Elem().FieldByIndex(f.Index)
		var texts []string
		switch f.place {
		case inPath:
			texts = []string{r.PathValue(f.name)}
		case inHeader:
			texts = r.Header.Values(f.name)
		default:
			known = append(known, f.name)
			texts = query[f.name]
		}
		if f.Type == typeCursorPointer && len(texts) == 1 && texts[0] == "" {
			continue // An empty cursor asks for the first page, as a loop's first request does.
		}
		if len(texts) == 0 {
			if f.required {
				return nil, invalid(fmt.Sprintf("%s is missing", f.name), "Add it to the query: ?"+f.name+"=…")
			}
			if f.Tag.Get("default") == "" {
				continue
			}
			texts = []string{f.Tag.Get("default")}
		}
		if err := set(value, f, texts); err != nil {
			return nil, err
		}
	}
	if o.sorts != "" {
		known = append(known, "sort")
	}
	for name := range query {
		if !slices.Contains(known, name) {
			return nil, invalid(fmt.Sprintf("there is no parameter %s", strconv.Quote(cut(name))), "There are: "+strings.Join(known, ", ")+".")
		}
	}
	if f, whole := bodyField(o.in); f != nil {
		err = s.decodeBody(w, r, in, *f, whole)
	} else if hasBody(o.in) {
		err = s.decodeBody(w, r, in, reflect.StructField{}, false)
	}
	return in.Interface(), err
}

// decodeBody reads the body into the fields with the tag json. If a field has the tag body, that field gets the whole body
// unchanged.
func (s *Server) decodeBody(w http.ResponseWriter, r *http.Request, in reflect.Value, field reflect.StructField, whole bool) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.config.MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return &problemBody{
			Status: http.StatusRequestEntityTooLarge, Code: "TK413", Detail: "the body of the request is too large",
			More: fmt.Sprintf("The limit is %d bytes.", tooLarge.Limit), Hint: "Keep large data elsewhere, and a reference here.",
		}
	case err != nil:
		return malformed("the body of the request cannot be read", "")
	case len(body) == 0 && !whole && !requiresBody(in.Type().Elem()):
		return nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &problemBody{Status: http.StatusUnsupportedMediaType, Detail: "the body is not said to be JSON", Hint: "Send the header Content-Type: application/json."}
	}
	if !utf8.Valid(body) || !json.Valid(body) {
		return malformed("the body is not JSON in UTF-8", "")
	}
	if whole {
		in.Elem().FieldByIndex(field.Index).SetBytes(body)
		return nil
	}
	if err := knownFields(body, in.Type().Elem()); err != nil {
		return err
	}
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(body, in.Interface()); {
	case strings.HasPrefix(strings.TrimSpace(string(body)), "{") && err == nil:
	case errors.As(err, &wrong) && wrong.Field != "":
		return invalid(fmt.Sprintf("%s cannot be a %s", cut(wrong.Field), wrong.Value), "See /v1/docs for what it is.")
	default:
		return invalid("the body is not an object with the fields of this request", "See /v1/docs for what they are.")
	}
	for _, f := range reflect.VisibleFields(in.Type().Elem()) {
		if f.Tag.Get("required") != "" && in.Elem().FieldByIndex(f.Index).IsZero() {
			return invalid(f.Tag.Get("json")+" is missing", "See /v1/docs for what it is.")
		}
	}
	return nil
}

// knownFields refuses unknown fields, and known fields in the wrong case. The decoder of encoding/json ignores the case of names, so a
// gateway that filters bodies by the documented names would miss such fields.
func knownFields(body []byte, in reflect.Type) error {
	for in.Kind() == reflect.Pointer || in.Kind() == reflect.Slice {
		if in.Kind() == reflect.Slice {
			var elements []json.RawMessage
			if in.Elem().Kind() == reflect.Uint8 || json.Unmarshal(body, &elements) != nil {
				return nil
			}
			for _, element := range elements {
				if err := knownFields(element, in.Elem()); err != nil {
					return err
				}
			}
			return nil
		}
		in = in.Elem()
	}
	var given map[string]json.RawMessage
	if in.Kind() != reflect.Struct || reflect.PointerTo(in).Implements(typeUnmarshaler) || json.Unmarshal(body, &given) != nil {
		return nil // Either the type has no fields, or the decoder reports the mistake.
	}
	fields := map[string]reflect.Type{}
	for _, f := range bodyFields(in) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = f.Type
	}
	for name, value := range given {
		of, ok := fields[name]
		if !ok {
			return invalid("there is no field "+strconv.Quote(cut(name)), "There are: "+strings.Join(fieldNames(in), ", ")+".")
		}
		if err := knownFields(value, of); err != nil {
			return err
		}
	}
	return nil
}

var typeUnmarshaler = reflect.TypeFor[json.Unmarshaler]()

// These are the places of a parameter, with their names in OpenAPI.
const (
	inPath   = "path"
	inQuery  = "query"
	inHeader = "header"
)

// parameter is a field that a request does not send in the body.
type parameter struct {
	reflect.StructField
	place, name string
	required    bool
}

func parameters(in reflect.Type) (found []parameter) {
	for _, f := range reflect.VisibleFields(in) {
		for _, place := range []string{inPath, inQuery, inHeader} {
			if name := f.Tag.Get(place); name != "" {
				found = append(found, parameter{f, place, name, place == inPath || f.Tag.Get("required") != ""})
			}
		}
	}
	return found
}

// bodyField returns the field that is the whole body, if there is one.
func bodyField(in reflect.Type) (field *reflect.StructField, whole bool) {
	for _, f := range reflect.VisibleFields(in) {
		if f.Tag.Get("body") != "" {
			return &f, true
		}
	}
	return nil, false
}

// bodyFields returns the fields that are read from the body.
func bodyFields(in reflect.Type) (found []reflect.StructField) {
	for _, f := range reflect.VisibleFields(in) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" && !f.Anonymous {
			found = append(found, f)
		}
	}
	return found
}

func fieldNames(in reflect.Type) (found []string) {
	for _, f := range bodyFields(in) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		found = append(found, name)
	}
	return found
}

func hasBody(in reflect.Type) bool { return len(bodyFields(in)) > 0 }

func requiresBody(in reflect.Type) bool {
	return slices.ContainsFunc(reflect.VisibleFields(in), func(f reflect.StructField) bool {
		return f.Tag.Get("json") != "" && f.Tag.Get("required") != ""
	})
}

// set parses the texts of a parameter into its field.
func set(value reflect.Value, f parameter, texts []string) error {
	if value.Kind() == reflect.Slice {
		value.Set(reflect.ValueOf(texts))
		return utf8Only(f, texts)
	}
	if len(texts) > 1 {
		return invalid(f.name+" is given more than once", "Give it once.")
	}
	if value.Kind() == reflect.Pointer {
		value.Set(reflect.New(value.Type().Elem()))
		value = value.Elem()
	}
	if err := utf8Only(f, texts); err != nil {
		return err
	}
	given := texts[0]
	var err error
	switch target := value.Addr().Interface().(type) {
	case *uuid.UUID:
		*target, err = uuid.Parse(given)
		if err != nil || len(given) != 36 {
			return invalid(fmt.Sprintf("%s is no UUID: %s", f.name, strconv.Quote(cut(given))), "A UUID is written 0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000.")
		}
		return nil
	case *time.Time:
		if *target, err = time.Parse(time.RFC3339Nano, given); err != nil {
			return invalid(fmt.Sprintf("%s is no time: %s", f.name, strconv.Quote(cut(given))), "A time is written 2026-01-31T12:00:00Z; percent-encode the + of a zone.")
		}
		return nil
	case encoding.TextUnmarshaler:
		return target.UnmarshalText([]byte(given))
	case *string:
		*target = given
		return oneOf(f, given)
	case *bool:
		if *target, err = strconv.ParseBool(given); err != nil || len(given) < 4 {
			return invalid(f.name+" is true or false", "")
		}
		return nil
	}
	n, err := strconv.ParseInt(given, 10, value.Type().Bits())
	least, most := bound(f, "minimum", -1<<31), bound(f, "maximum", 1<<31-1)
	if err != nil || n < least || n > most {
		return invalid(fmt.Sprintf("%s is not a whole number from %d to %d", f.name, least, most), "")
	}
	value.SetInt(n)
	return nil
}

func bound(f parameter, tag string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(f.Tag.Get(tag), 10, 64); err == nil {
		return n
	}
	return otherwise
}

func oneOf(f parameter, given string) error {
	allowed := f.Tag.Get("enum")
	if allowed == "" || slices.Contains(strings.Split(allowed, " "), given) {
		return nil
	}
	return invalid(fmt.Sprintf("%s cannot be %s", f.name, strconv.Quote(cut(given))), "It is one of "+strings.ReplaceAll(allowed, " ", ", ")+".")
}

// utf8Only refuses texts that the database cannot store.
func utf8Only(f parameter, texts []string) error {
	for _, given := range texts {
		if !utf8.ValidString(given) || strings.ContainsRune(given, 0) {
			return invalid(f.name+" is not text in UTF-8", "")
		}
	}
	return nil
}

// cut shortens a value for use in a message.
func cut(given string) string {
	if len(given) > 100 {
		return strings.ToValidUTF8(given[:100], "") + "…"
	}
	return given
}
