// Package seal writes and reads the envelope of encrypted payloads. docs/howto/encrypted.md has its form, which the clients in Python
// and TypeScript write, too.
package seal

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/codec"
)

const (
	// field is the field of an object that holds the envelope.
	field = "pgtasker"
	// OwnError is the beginning of errors that the clients themselves make. These errors hold no payload, and are stored in the
	// clear.
	OwnError = "pgtasker: "
	// errorHead is the beginning of an encrypted error, errorDetail the beginning of its second line.
	errorHead   = "encrypted "
	errorDetail = "\nDETAIL: "
	// deepest is the depth to which envelopes are searched in a value.
	deepest = 32
	// longestError is the number of bytes of an error that are encrypted, so that base64 and the envelope stay below the
	// limit of the database.
	longestError = 40_000
)

type envelope struct {
	Alg  string `json:"alg"`
	KID  string `json:"kid"`
	For  string `json:"for"`
	Hash string `json:"hash,omitempty"`
	CT   []byte `json:"ct"`
}

// Place is where a payload belongs.
type Place struct {
	// Kind is context, result, error, kept, checkpoint, state, signal or args.
	Kind string
	// Of is the rest of the place: namespace/name for a context, or the UUID of a task and a name for all other
	// payloads.
	Of string
}

// Context is the place of the context of a template's tasks.
func Context(namespace, name string) Place { return Place{"context", namespace + "/" + name} }

// Of is the place of a payload of a task.
func Of(kind string, task uuid.UUID, name string) Place {
	return Place{kind, task.String() + " " + name}
}

// KeySignal is the place of a signal to the task of a key, which may not exist yet.
func KeySignal(namespace, name, signal string) Place {
	return Place{"signal", namespace + "/" + name + " " + signal}
}

func (p Place) String() string { return p.Kind + " " + p.Of }

// Task returns the task of a place, and the name in it.
func (p Place) Task() (task uuid.UUID, name string, ok bool) {
	text, name, _ := strings.Cut(p.Of, " ")
	task, err := uuid.Parse(text)
	return task, name, err == nil && p.Kind != "context"
}

func place(text string) Place {
	kind, of, _ := strings.Cut(text, " ")
	return Place{kind, of}
}

// bound is the text to which a codec binds a ciphertext.
func bound(forWhat, hash string) []byte { return []byte("pgtasker\n" + forWhat + "\n" + hash) }

// In says whether a text may have an envelope in it.
func In(raw []byte) bool {
	return bytes.Contains(raw, []byte(`"`+field+`"`)) || bytes.Contains(raw, []byte(`\"`+field+`\"`)) // in a text in JSON
}

// Is says whether a value is an encrypted payload.
func Is(raw []byte) bool {
	e, _ := find(raw)
	return e != nil
}

// find returns the envelope of an object, nil if it has none.
func find(raw []byte) (*envelope, map[string]json.RawMessage) {
	if !In(raw) {
		return nil, nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object[field] == nil {
		return nil, object
	}
	return read(object[field]), object
}

func read(raw []byte) *envelope {
	var e envelope
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&e) != nil || e.Alg == "" || e.KID == "" || e.For == "" || e.CT == nil {
		return nil
	}
	return &e
}

// Encode encrypts a payload for its place. It returns the payload unchanged if there is no codec, or if the payload is already
// encrypted.
func Encode(ctx context.Context, c codec.Codec, at Place, plain json.RawMessage) (json.RawMessage, error) {
	if c == nil || len(plain) == 0 || string(plain) == "null" || Is(plain) {
		return plain, nil
	}
	return encode(ctx, c, at, plain, "", nil)
}

// EncodeContext encrypts a context. The fields that stay in the clear are beside the envelope, and the envelope has the
// ciphertext and a keyed hash.
func EncodeContext(ctx context.Context, c codec.Codec, at Place, plain json.RawMessage, clear []string) (json.RawMessage, error) {
	if Is(plain) {
		return plain, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(plain, &fields); err != nil {
		return nil, errors.New("the context is not a JSON object")
	}
	shown := map[string]json.RawMessage{}
	for _, name := range clear {
		if value, found := fields[name]; found {
			shown[name] = value
		}
	}
	// Equal contexts must have the same hash, so sort the keys and leave out spaces.
	canonical, err := Canonical(plain)
	if err != nil {
		return nil, err
	}
	return encode(ctx, c, at, canonical, hash(c, at.String()+"\n"+string(canonical)), shown)
}

// Canonical is a JSON text with sorted keys and without spaces. Numbers keep their spelling.
func Canonical(raw json.RawMessage) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

func encode(
	ctx context.Context, c codec.Codec, at Place, plain []byte, hashed string, shown map[string]json.RawMessage,
) (json.RawMessage, error) {
	sealed, err := c.Encode(ctx, plain, bound(at.String(), hashed))
	if err != nil {
		return nil, fmt.Errorf("%sthe payload for %q cannot be encrypted: %w", OwnError, at, err)
	}
	if shown == nil {
		shown = map[string]json.RawMessage{}
	}
	if shown[field], err = json.Marshal(envelope{sealed.Alg, sealed.KeyID, at.String(), hashed, sealed.Data}); err != nil {
		return nil, err
	}
	return json.Marshal(shown)
}

// hash is a keyed hash. It is empty if the codec has no hash.
func hash(c codec.Codec, data string) string {
	hasher, ok := c.(interface{ Hash(data []byte) []byte })
	if !ok {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(hasher.Hash([]byte(data)))
}

// Open decrypts every envelope in a value. The function belongs refuses an envelope of a wrong place. Its argument top says
// that the envelope is the whole value.
func Open(ctx context.Context, c codec.Codec, raw json.RawMessage, belongs func(at Place, top bool) error) (json.RawMessage, error) {
	if !In(raw) {
		return raw, nil
	}
	opened, _, err := open(ctx, c, raw, belongs, 0)
	return opened, err
}

func open(
	ctx context.Context, c codec.Codec, raw json.RawMessage, belongs func(at Place, top bool) error, depth int,
) (_ json.RawMessage, changed bool, err error) {
	if depth > deepest || !In(raw) {
		return raw, false, nil
	}
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	switch {
	case bytes.HasPrefix(trimmed, []byte(`"`)):
		var text string
		if json.Unmarshal(raw, &text) != nil || !IsError(text) {
			return raw, false, nil
		}
		if text, err = OpenError(ctx, c, text, func(at Place, _ bool) error {
			if belongs == nil {
				return nil
			}
			return belongs(at, depth == 0)
		}); err != nil {
			return nil, false, err
		}
		raw, err = json.Marshal(text)
		return raw, err == nil, err
	case bytes.HasPrefix(trimmed, []byte("{")):
		e, object := find(raw)
		if e != nil {
			plain, err := decode(ctx, c, e, belongs, depth == 0)
			if err == nil && !json.Valid(plain) {
				err = fmt.Errorf("%s%w: the %s is no JSON (key %q)", OwnError, codec.ErrKey, place(e.For).Kind, e.KID)
			}
			return plain, err == nil, err
		}
		for name, value := range object {
			opened, did, err := open(ctx, c, value, belongs, depth+1)
			if err != nil {
				return nil, false, err
			}
			object[name], changed = opened, changed || did
		}
		if changed {
			raw, err = json.Marshal(object)
		}
	case bytes.HasPrefix(trimmed, []byte("[")):
		var elements []json.RawMessage
		if json.Unmarshal(raw, &elements) != nil {
			return raw, false, nil
		}
		for i, value := range elements {
			opened, did, err := open(ctx, c, value, belongs, depth+1)
			if err != nil {
				return nil, false, err
			}
			elements[i], changed = opened, changed || did
		}
		if changed {
			raw, err = json.Marshal(elements)
		}
	}
	return raw, changed, err
}

func decode(ctx context.Context, c codec.Codec, e *envelope, belongs func(at Place, top bool) error, top bool) ([]byte, error) {
	at := place(e.For)
	if c == nil {
		return nil, fmt.Errorf("%s%w: the %s was encrypted with key %q, and there is no codec", OwnError, codec.ErrKey, at.Kind, e.KID)
	}
	if belongs != nil {
		if err := belongs(at, top); err != nil {
			return nil, fmt.Errorf("%s%w: %w (key %q)", OwnError, codec.ErrKey, err, e.KID)
		}
	}
	plain, err := c.Decode(ctx, codec.Sealed{Alg: e.Alg, KeyID: e.KID, Data: e.CT}, bound(e.For, e.Hash))
	if err != nil {
		return nil, fmt.Errorf("%sthe %s: %w", OwnError, at.Kind, err)
	}
	return plain, nil
}

// varying matches the parts of an error's first line that differ between failures of the same cause.
var varying = regexp.MustCompile(`"[^"]*"|'[^']*'|` + "`[^`]*`" + `|\S*[0-9]\S*`)

// Error encrypts the text of an error. The class and a keyed hash of the first line (without numbers and quoted text) stay in
// the clear, so that incidents recognise equal causes.
func Error(ctx context.Context, c codec.Codec, at Place, class, text string) (string, error) {
	if c == nil || strings.HasPrefix(text, OwnError) || IsError(text) {
		return text, nil
	}
	if len(text) > longestError {
		text = strings.ToValidUTF8(text[:longestError], "") + "\n… (shortened)"
	}
	raw, err := encode(ctx, c, at, []byte(text), "", nil)
	if err != nil {
		return "", err
	}
	return errorHead + className(class) + mark(c, class, text) + errorDetail + string(raw), nil
}

func className(class string) string {
	class = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, class)
	if class == "" {
		class = "error"
	}
	return class[:min(len(class), 100)]
}

// mark is the keyed hash of an error's class and masked text. It consists of letters, which masking keeps.
func mark(c codec.Codec, class, text string) string {
	hasher, ok := c.(interface{ Hash(data []byte) []byte })
	if !ok {
		return ""
	}
	first, _, _ := strings.Cut(text, "\n")
	masked := varying.ReplaceAllString(first, "#")
	letters := []byte(" ")
	for _, b := range hasher.Hash([]byte("error\n" + class + "\n" + masked))[:8] {
		letters = append(letters, 'a'+b>>4, 'a'+b&15)
	}
	return string(letters)
}

// IsError says whether a text is an encrypted error.
func IsError(text string) bool {
	_, raw, found := strings.Cut(text, errorDetail)
	return found && strings.HasPrefix(text, errorHead) && Is([]byte(raw))
}

// OpenError decrypts the text of an error, if it is encrypted.
func OpenError(ctx context.Context, c codec.Codec, text string, belongs func(at Place, top bool) error) (string, error) {
	_, raw, found := strings.Cut(text, errorDetail)
	if !found || !strings.HasPrefix(text, errorHead) {
		return text, nil
	}
	e, _ := find([]byte(raw))
	if e == nil {
		return text, nil
	}
	plain, err := decode(ctx, c, e, belongs, true)
	return string(plain), err
}

// Class returns the type of the innermost error that an error wraps.
func Class(err error) string {
	for {
		below := errors.Unwrap(err)
		if below == nil {
			return fmt.Sprintf("%T", err)
		}
		err = below
	}
}

// Shown returns a value with encrypted payloads for people without the key: each payload is replaced by a text that names its
// key. Fields in the clear stay. Shown returns "" if nothing is encrypted. `way` says how people can see the payload, or is
// empty.
func Shown(raw json.RawMessage, way string) string {
	e, object := find(raw)
	if e == nil {
		inside, changed, err := open(context.Background(), names(way), raw, nil, 0)
		if err != nil || !changed {
			return ""
		}
		return string(inside)
	}
	delete(object, field)
	text := fmt.Sprintf("(encrypted with key %q%s)", e.KID, way)
	if len(object) > 0 {
		clear, err := json.Marshal(object)
		if err == nil {
			text += " " + string(clear)
		}
	}
	return text
}

// names is a codec that returns the name of a payload's key in place of the plaintext.
type names string

func (names) Encode(context.Context, []byte, []byte) (codec.Sealed, error) {
	return codec.Sealed{}, codec.ErrKey
}

func (way names) Decode(_ context.Context, sealed codec.Sealed, _ []byte) ([]byte, error) {
	return json.Marshal(fmt.Sprintf("(encrypted with key %q%s)", sealed.KeyID, way))
}

// detailOfError is the second line of an encrypted error, which a sentence of the database may have cut.
var detailOfError = regexp.MustCompile(errorDetail +
	`\{"pgtasker": ?\{"alg": ?"[^"\n]*", ?"kid": ?("(?:[^"\\\n]|\\.)*")(?:, ?"(?:for|hash)": ?"[^"\n]*")*(?:, ?"ct": ?"[A-Za-z0-9+/=]*)?(?:"\}\})?`)

// ShownErrors returns a text for people without the key: each encrypted error in the text keeps its first line, with the name
// of the key that decrypts it.
func ShownErrors(text, way string) string {
	if !strings.Contains(text, errorHead) {
		return text
	}
	return detailOfError.ReplaceAllString(text, " (key $1"+strings.ReplaceAll(way, "$", "$$")+")")
}
