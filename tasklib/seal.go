package tasklib

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
)

// Keys encrypt and decrypt arguments with AES-GCM. They never leave the process, and are never logged.
type Keys struct {
	current string
	sealers map[string]cipher.AEAD
}

// NewKeys returns keys by id, each of 16, 24 or 32 bytes. New arguments are sealed with the current one. The other keys
// open arguments that were sealed before, until none are left.
func NewKeys(current string, keys map[string][]byte) (*Keys, error) {
	k := &Keys{current: current, sealers: map[string]cipher.AEAD{}}
	for id, key := range keys {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", id, err)
		}
		if k.sealers[id], err = cipher.NewGCM(block); err != nil {
			return nil, fmt.Errorf("key %q: %w", id, err)
		}
	}
	if k.sealers[current] == nil {
		return nil, fmt.Errorf("the current key %q is not among the keys", current)
	}
	return k, nil
}

// String keeps keys out of logs.
func (k *Keys) String() string { return "tasklib.Keys(" + k.current + ")" }

// GoString keeps keys out of logs.
func (k *Keys) GoString() string { return k.String() }

// sealed is stored in the database instead of arguments.
type sealed struct {
	Sealed *envelope `json:"$sealed"`
}

type envelope struct {
	Key   string `json:"key"`
	Nonce []byte `json:"nonce"`
	Data  []byte `json:"data"`
}

// seal encrypts arguments for tasks of one name: for another name they do not open.
func (k *Keys) seal(name string, kwargs []byte) (json.RawMessage, error) {
	sealer := k.sealers[k.current]
	nonce := make([]byte, sealer.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return json.Marshal(sealed{&envelope{Key: k.current, Nonce: nonce, Data: sealer.Seal(nil, nonce, kwargs, []byte(name))}})
}

func (k *Keys) open(name string, kwargs []byte) ([]byte, error) {
	var s sealed
	if err := json.Unmarshal(kwargs, &s); err != nil || s.Sealed == nil {
		return nil, fmt.Errorf("%w: they are not sealed", ErrKey)
	}
	sealer := k.sealers[s.Sealed.Key]
	if sealer == nil {
		return nil, fmt.Errorf("%w: key %q is unknown", ErrKey, s.Sealed.Key)
	}
	if len(s.Sealed.Nonce) != sealer.NonceSize() {
		return nil, errors.Join(ErrKey, errors.New("the nonce has another length"))
	}
	opened, err := sealer.Open(nil, s.Sealed.Nonce, s.Sealed.Data, []byte(name))
	if err != nil {
		return nil, errors.Join(ErrKey, err)
	}
	return opened, nil
}
