// Package codec encrypts the payloads of tasks before they leave the process: contexts, results, errors, signals, kept results,
// checkpoints. The database stores ciphertext and cannot read the payloads. A template asks for encryption with the field encrypted:
//
//	encrypted: {clear: [customer]}
//
// [NewKeys] makes a codec from keys, and [ReadKeys] makes a codec from a file. Pass the codec to executor.WithCodec and to worker.Config. A
// [Codec] of your own needs two methods, and may use a key management service.
package codec

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Codec encrypts and decrypts payloads. Its methods may be called by several goroutines.
//
// A codec may have a method Hash(data []byte) []byte, which returns a keyed hash. The hash must stay the same when the encrypting key
// changes. With Hash the database recognises equal contexts and equal errors. Without Hash the identity strategy "strict" makes each
// request a new task.
type Codec interface {
	// Encode encrypts a payload. The argument bound names the place where the payload belongs: Decode must fail if it gets another bound.
	Encode(ctx context.Context, plain, bound []byte) (Sealed, error)
	// Decode decrypts a payload. The error is [ErrKey] if the key is unknown, or if the payload was not encrypted with this key and this
	// bound.
	Decode(ctx context.Context, sealed Sealed, bound []byte) ([]byte, error)
}

// Sealed is an encrypted payload: the ciphertext, with the algorithm and the ID of the key in the clear.
type Sealed struct {
	Alg   string
	KeyID string
	Data  []byte
}

// ErrKey says that a payload cannot be decrypted: its key is unknown, or the payload was changed or moved.
var ErrKey = errors.New("the payload cannot be decrypted")

// HashKey is the ID of the key that is used only for hashes. Keep this key when you rotate the other keys.
const HashKey = "hash"

const algorithm = "AES-GCM"

// Keys is a codec that encrypts with AES-GCM. The keys never leave the process, and are never logged.
type Keys struct {
	current string
	sealers map[string]cipher.AEAD
	hash    []byte
}

// NewKeys returns a codec from keys by ID, each of 16, 24 or 32 bytes. The key with the ID current encrypts. The other keys only decrypt.
// Keep a key until no payload is left that it has encrypted. The key with the ID [HashKey] is used for hashes. If there is no such key,
// hashes use the key with the first ID in alphabetical order.
func NewKeys(current string, keys map[string][]byte) (*Keys, error) {
	k := &Keys{current: current, sealers: map[string]cipher.AEAD{}}
	hash := keys[HashKey]
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		block, err := aes.NewCipher(keys[id])
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", id, err)
		}
		if hash == nil {
			hash = keys[id]
		}
		if id == HashKey {
			continue
		}
		if k.sealers[id], err = cipher.NewGCM(block); err != nil {
			return nil, fmt.Errorf("key %q: %w", id, err)
		}
	}
	if k.sealers[current] == nil {
		return nil, fmt.Errorf("the current key %q is not among the keys", current)
	}
	// Derive a separate key for hashes, since one key should not serve two purposes.
	k.hash = keyed(hash, []byte("pgtasker hash"))
	return k, nil
}

// ReadKeys reads keys from a file: {"current": "2026-11", "keys": {"2026-11": "base64 of 32 bytes", "hash": "base64 of 32 bytes"}}.
func ReadKeys(r io.Reader) (*Keys, error) {
	var file struct {
		Current string            `json:"current"`
		Keys    map[string][]byte `json:"keys"`
	}
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	if decoder.Decode(&file) != nil {
		// The decoder's error may name a part of a key.
		return nil, errors.New(`the file of keys is not {"current": id, "keys": {id: base64}}`)
	}
	return NewKeys(file.Current, file.Keys)
}

// String returns a text without the keys, so that logs do not reveal them.
func (k *Keys) String() string { return "codec.Keys(" + k.current + ")" }

// GoString returns a text without the keys, so that logs do not reveal them.
func (k *Keys) GoString() string { return k.String() }

// Encode implements [Codec].
func (k *Keys) Encode(_ context.Context, plain, bound []byte) (Sealed, error) {
	sealer := k.sealers[k.current]
	nonce := make([]byte, sealer.NonceSize(), sealer.NonceSize()+len(plain)+sealer.Overhead())
	if _, err := rand.Read(nonce); err != nil {
		return Sealed{}, err
	}
	return Sealed{Alg: algorithm, KeyID: k.current, Data: sealer.Seal(nonce, nonce, plain, bound)}, nil
}

// Decode implements [Codec].
func (k *Keys) Decode(_ context.Context, sealed Sealed, bound []byte) ([]byte, error) {
	if sealed.Alg != algorithm {
		return nil, fmt.Errorf("%w: the algorithm %q is unknown", ErrKey, sealed.Alg)
	}
	sealer := k.sealers[sealed.KeyID]
	if sealer == nil {
		return nil, fmt.Errorf("%w: key %q is unknown", ErrKey, sealed.KeyID)
	}
	if len(sealed.Data) < sealer.NonceSize() {
		return nil, fmt.Errorf("%w: it is too short (key %q)", ErrKey, sealed.KeyID)
	}
	plain, err := sealer.Open(nil, sealed.Data[:sealer.NonceSize()], sealed.Data[sealer.NonceSize():], bound)
	if err != nil {
		return nil, fmt.Errorf("%w: it was changed or moved, or encrypted with another key than %q", ErrKey, sealed.KeyID)
	}
	return plain, nil
}

// Hash returns a keyed hash.
func (k *Keys) Hash(data []byte) []byte { return keyed(k.hash, data) }

func keyed(key, data []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(data)
	return mac.Sum(nil)
}
