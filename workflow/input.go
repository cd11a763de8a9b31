package workflow

import (
	"encoding/json"
	"reflect"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

// CheckInput lets the database refuse a task whose input does not fit the type C. That applies to every caller: a program in another
// language, a person in psql or on the page, a schedule, a step of another workflow. The schema of C becomes part of the template, so
// adding CheckInput needs a new version. A field is required unless it may be left out (omitempty, omitzero). Tags of a field add to the
// schema:
//
//	type Order struct {
//		Amount  int    `json:"amount" minimum:"1" description:"In cents."`
//		Carrier string `json:"carrier,omitempty" enum:"post,parcel" default:"post"`
//	}
//
// The tags minimum, maximum, maxLength and enum are checked. The tags title, description, default and format are notes, which the page
// shows in the form for the input.
func CheckInput() Option {
	return option(func(g *graph) { g.checksInput = true })
}

// Encrypted lets the database refuse payloads in the clear: contexts, results, errors, signals and the kept results of functions are
// encrypted before they leave the program, by executor.WithCodec and worker.Config. The named fields of the input stay in the clear beside
// the ciphertext, for keys of limits and events, and for maps.
func Encrypted(clear ...string) Option {
	return option(func(g *graph) {
		says := struct {
			Clear []string `json:"clear,omitempty"`
		}{clear}
		g.template.Encrypted, _ = json.Marshal(says) // Texts are always JSON.
	})
}

// inputSchema is the schema of the input's type.
func (g *graph) inputSchema(typ reflect.Type) json.RawMessage {
	made, err := jsonfit.Schema(typ)
	if err != nil {
		g.problem("CheckInput: %v", err)
		return nil
	}
	text, err := json.Marshal(made)
	if err != nil {
		g.problem("CheckInput: %v", err)
	}
	return text
}
