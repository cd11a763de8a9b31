package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/kin"
	"github.com/pgtasker/pgtasker/internal/seal"
)

// WithCodec returns a connection whose clients encrypt payloads if the template asks for encryption, and decrypt the rows that they read:
//
//	client := executor.NewClient(executor.WithCodec(pool, keys))
//
// [New], [NewClient] and package workflow accept it as a connection. A payload that was encrypted with an unknown key is returned as it is
// stored. Payloads of templates that do not ask for encryption are not encrypted.
func WithCodec(db DBTX, c codec.Codec) DBTX {
	if c == nil {
		return db
	}
	if already, ok := db.(coded); ok {
		db = already.DBTX
	}
	return coded{db, c, &knownTemplates{}}
}

// coded is a connection with a codec.
type coded struct {
	DBTX
	codec codec.Codec
	known *knownTemplates
}

func init() {
	kin.SealContext = func(ctx context.Context, db gen.DBTX, namespace, name, version string, plain json.RawMessage) (json.RawMessage, error) {
		return New(db).sealContext(ctx, namespace, name, version, plain)
	}
}

// decoding returns a DBTX that decrypts the payloads of its rows. Columns that it cannot decrypt stay as they are stored.
func decoding(db DBTX, c codec.Codec) DBTX {
	return seal.Rows{
		DB: db,
		JSON: func(ctx context.Context, value *json.RawMessage) {
			if opened, err := seal.Open(ctx, c, *value, nil); err == nil {
				*value = opened
			}
		},
		Text: func(ctx context.Context, text *string) {
			if opened, err := seal.OpenError(ctx, c, *text, nil); err == nil {
				*text = opened
			}
		},
	}
}

// encryption holds the field "encrypted" of a template and the time at which it was read.
type encryption struct {
	at        time.Time
	encrypted bool
	clear     []string
}

// knownFor is how long an executor's codec remembers a template.
const knownFor = 5 * time.Second

type templateKey struct{ namespace, name, version string }

// knownTemplates are the templates that the executors of one connection have read.
type knownTemplates struct {
	mu    sync.Mutex
	known map[templateKey]encryption
}

func (k *knownTemplates) get(key templateKey, now time.Time) (encryption, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.known[key]
	return found, ok && now.Sub(found.at) < knownFor
}

func (k *knownTemplates) put(key templateKey, e encryption) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil || len(k.known) > 1000 {
		k.known = map[templateKey]encryption{}
	}
	k.known[key] = e
}

// encryptionOf reads whether a template encrypts its payloads.
func (e *SqlFunctionExecutor) encryptionOf(ctx context.Context, namespace, name, version string) (encryption, error) {
	key := templateKey{namespace, name, version}
	if found, ok := e.known.get(key, time.Now()); ok {
		return found, nil
	}
	template, err := e.GetTaskTemplate(ctx, namespace, name, version)
	if err != nil {
		return encryption{}, err
	}
	var says struct {
		Encrypted *struct {
			Clear []string `json:"clear"`
		} `json:"encrypted"`
	}
	if err := json.Unmarshal(template.Template, &says); err != nil {
		return encryption{}, fmt.Errorf("template %s/%s: %w", namespace, name, err)
	}
	found := encryption{at: time.Now(), encrypted: says.Encrypted != nil}
	if found.encrypted {
		found.clear = says.Encrypted.Clear
	}
	e.known.put(key, found)
	return found, nil
}

// sealContext encrypts the context of a request, if the template asks for encryption.
func (e *SqlFunctionExecutor) sealContext(ctx context.Context, namespace, name, version string, plain json.RawMessage) (json.RawMessage, error) {
	if e.codec == nil {
		return plain, nil
	}
	says, err := e.encryptionOf(ctx, namespace, name, version)
	if err != nil || !says.encrypted {
		return plain, err
	}
	return seal.EncodeContext(ctx, e.codec, seal.Context(namespace, name), plain, says.clear)
}

// sealContextOf encrypts a new context for an existing task, if its template asks for encryption.
func (e *SqlFunctionExecutor) sealContextOf(ctx context.Context, task uuid.UUID, plain json.RawMessage) (json.RawMessage, error) {
	if e.codec == nil {
		return plain, nil
	}
	detail, err := e.GetTask(ctx, task)
	if err != nil {
		return nil, err
	}
	return e.sealContext(ctx, detail.Namespace, detail.Name, detail.Version, plain)
}

// sealPayload encrypts the payload of a signal, if the template of its task asks for encryption.
func (e *SqlFunctionExecutor) sealPayload(ctx context.Context, task uuid.UUID, name string, payload json.RawMessage) (json.RawMessage, error) {
	if e.codec == nil || string(payload) == "{}" || string(payload) == "null" {
		return payload, nil
	}
	detail, err := e.GetTask(ctx, task)
	if err != nil {
		return nil, err
	}
	says, err := e.encryptionOf(ctx, detail.Namespace, detail.Name, detail.Version)
	if err != nil || !says.encrypted {
		return payload, err
	}
	return seal.Encode(ctx, e.codec, seal.Of("signal", task, name), payload)
}

// sealResult encrypts a result that a person gives a step, if the template of its task asks for encryption.
func (e *SqlFunctionExecutor) sealResult(ctx context.Context, step uuid.UUID, result json.RawMessage) (json.RawMessage, error) {
	if e.codec == nil || len(result) == 0 {
		return result, nil
	}
	task := step // The last two bytes of a step's UUID are its number.
	task[14], task[15] = 0, 0
	after := int32(step[14])<<8 + int32(step[15]) - 1
	steps, err := e.PageSteps(ctx, task, after, 1)
	if err != nil || len(steps) == 0 || steps[0].WorkflowStepUUID != step {
		return result, err // The database refuses an unknown step.
	}
	return e.sealNamedResult(ctx, task, steps[0].Name, result)
}

// sealNamedResult encrypts a result like sealResult. The task and the name identify the step.
func (e *SqlFunctionExecutor) sealNamedResult(ctx context.Context, task uuid.UUID, step string, result json.RawMessage) (json.RawMessage, error) {
	if e.codec == nil || len(result) == 0 {
		return result, nil
	}
	detail, err := e.GetTask(ctx, task)
	if err != nil {
		return nil, err
	}
	says, err := e.encryptionOf(ctx, detail.Namespace, detail.Name, detail.Version)
	if err != nil || !says.encrypted {
		return result, err
	}
	return seal.Encode(ctx, e.codec, seal.Of("result", task, step), result)
}

// sealKeyed encrypts the context and the payload of a signal that is sent to the task with an identity key. The UUID of the task is not
// known yet, so the ciphertext of the payload is bound to the names of the template and of the signal.
func (e *SqlFunctionExecutor) sealKeyed(
	ctx context.Context, key TaskKey, version, signal string, task, payload json.RawMessage,
) (_, _ json.RawMessage, err error) {
	says, err := e.encryptionOf(ctx, key.Namespace, key.Name, version)
	if err != nil || !says.encrypted {
		return task, payload, err
	}
	if task, err = seal.EncodeContext(ctx, e.codec, seal.Context(key.Namespace, key.Name), task, says.clear); err != nil {
		return nil, nil, err
	}
	if string(payload) != "{}" {
		payload, err = seal.Encode(ctx, e.codec, seal.KeySignal(key.Namespace, key.Name, signal), payload)
	}
	return task, payload, err
}
