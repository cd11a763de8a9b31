// Package bearer makes the tokens of the REST interface.
package bearer

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// Prefix begins every token, so that people and secret scanners recognise tokens.
const Prefix = "tasker_"

// New returns a new token for the client, and its hash for tasker.create_token. The caller has the only copy of the token.
func New() (token string, hash []byte) {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // It never fails.
	token = Prefix + base64.RawURLEncoding.EncodeToString(random)
	sum := sha256.Sum256([]byte(token))
	return token, sum[:]
}
