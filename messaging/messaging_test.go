package messaging_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/messaging"
)

func TestComplete_GivesDefaults(t *testing.T) {
	t.Parallel()
	config, err := messaging.Config{Name: "orders"}.Complete()
	require.NoError(t, err)
	require.Equal(t, messaging.Config{Name: "orders", Lease: 30 * time.Second, MaxDeliveries: 10}, config)
	require.Positive(t, config.MaxDeliveries)

	for _, unlimited := range []messaging.Config{{Name: "orders", MaxDeliveries: -1}, {Name: messaging.DeadLetters("orders"), MaxDeliveries: 3}} {
		config, err = unlimited.Complete()
		require.NoError(t, err)
		require.Zero(t, config.MaxDeliveries, unlimited.Name)
	}
}

func TestComplete_Refuses(t *testing.T) {
	t.Parallel()
	for _, config := range []messaging.Config{
		{},
		{Name: "1"},
		{Name: "a b"},
		{Name: `a"`},
		{Name: "ä"},
		{Name: strings.Repeat("a", 41)},
		{Name: "_dead"},
		{Name: "a", Lease: time.Millisecond},
		{Name: "a", Lease: 1500 * time.Millisecond},
		{Name: "a", Lease: 25 * time.Hour},
		{Name: "a", Lease: -time.Second},
		{Name: "a", MaxDeliveries: 2_000_000},
	} {
		_, err := config.Complete()
		require.ErrorIs(t, err, messaging.ErrInvalid, "%+v", config)
	}
}

func TestPrepare_GivesEachMessageAnID(t *testing.T) {
	t.Parallel()
	given := []messaging.Message{{Body: json.RawMessage("1")}, {Body: json.RawMessage("2"), ID: "mine"}, {Body: json.RawMessage("3")}}
	prepared, err := messaging.Prepare(given)
	require.NoError(t, err)
	require.Empty(t, given[0].ID, "the caller's message is unchanged")
	require.NotEmpty(t, prepared[0].ID)
	require.NotEqual(t, prepared[0].ID, prepared[2].ID)
	require.Equal(t, "mine", prepared[1].ID)
}
