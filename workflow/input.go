package workflow

import (
	"encoding/json"
	"reflect"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

// CheckInput makes the database refuse a task whose input does not fit the type C. This check applies to every caller, for example a
// program in another language, a person in psql or on the page, a schedule, or a step of another workflow. The schema of C becomes part of
// the template, so adding CheckInput needs a new version. A field is required unless its tag has omitempty or omitzero. Other tags of a
// field add rules to the schema:
//
//	type Order struct {
//		Amount  int    `json:"amount" minimum:"1" description:"In cents."`
//		Carrier string `json:"carrier,omitempty" enum:"post,parcel" default:"post"`
//	}
//
// The database checks the tags minimum, maximum, maxLength and enum. It does not check title, description, default and format, which the
// page shows in the form for the input.
func CheckInput() Option {
	return option(func(g *graph) { g.checksInput = true })
}

// Encrypted makes the database refuse payloads that are not encrypted. Contexts, results, errors, signals and the kept results of functions
// must be encrypted before they leave the program. The codecs in executor.WithCodec and worker.Config encrypt them. The named fields of the
// input are also stored in the clear beside the ciphertext, so that keys of limits and events, and maps, can read them.
func Encrypted(clear ...string) Option {
	return option(func(g *graph) {
		says := struct {
			Clear []string `json:"clear,omitempty"`
		}{clear}
		g.template.Encrypted, _ = json.Marshal(says) // Encoding texts cannot fail.
	})
}

// inputSchema returns the JSON Schema of the input's type.
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
