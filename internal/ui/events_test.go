package ui

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
)

func TestWaitingFor_SaysWhatItKnows(t *testing.T) {
	t.Parallel()
	other := gen.WaitDetail{Events: []string{"paid", "sent"}, EventKeys: []string{"2", "1"}}
	wanted := gen.WaitDetail{Events: []string{"sent", "paid"}, EventKeys: []string{"2", "1"}}
	list := func(others int, wantedOnes int) (waits []gen.WaitDetail) {
		for range others {
			waits = append(waits, other)
		}
		for range wantedOnes {
			waits = append(waits, wanted)
		}
		return waits
	}
	for _, test := range []struct {
		waits []gen.WaitDetail
		want  string
	}{
		{list(3, 0), "No step waits for it now."},
		{list(3, 1), "1 step waits for it now. It keeps waiting if the payload does not meet its condition."},
		{list(3, 2), "2 steps wait for it now. They keep waiting if the payload does not meet their conditions."},
		{list(999, 1), "At least 1 step waits for it now. It keeps waiting if the payload does not meet its condition."},
		{list(1000, 0), "At least 1,000 steps wait for events of this name; whether one waits for this key is not counted."},
	} {
		require.Equal(t, test.want, waitingFor(test.waits, "paid", "1"))
	}
}

func TestWith_SetsAndDropsParameters(t *testing.T) {
	t.Parallel()
	u, err := url.Parse("/ui/waits?namespace=shop&after=1&since=2")
	require.NoError(t, err)
	require.Equal(t, "/ui/waits?after=3&namespace=shop&since=4", with(u, "after", "3", "since", "4"))
	require.Equal(t, "/ui/waits?namespace=shop", with(u, "after", "", "since", ""))
	require.Equal(t, "/ui/waits", with(u, "after", "", "since", "", "namespace", ""))
}
