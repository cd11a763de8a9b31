package ui

import (
	"crypto/sha256"
	"sync"
	"time"
)

// loadedAtMost is how many loaded screens are kept.
const loadedAtMost = 200

// loaded keeps the data of screens for a few seconds, by token and address.
type loaded struct {
	mutex sync.Mutex
	pages map[[sha256.Size]byte]*kept
}

// kept is a screen that was loaded or is being loaded.
type kept struct {
	loading sync.Mutex
	at      time.Time
	page    page
}

func newLoaded() *loaded { return &loaded{pages: map[[sha256.Size]byte]*kept{}} }

// get returns a page that is not older than fresh: the kept page, or the return of load.
func (l *loaded) get(key [sha256.Size]byte, now time.Time, fresh time.Duration, load func() (page, error)) (page, error) {
	l.mutex.Lock()
	k := l.pages[key]
	if k == nil {
		for other := range l.pages {
			if len(l.pages) < loadedAtMost {
				break
			}
			delete(l.pages, other)
		}
		k = &kept{}
		l.pages[key] = k
	}
	l.mutex.Unlock()
	k.loading.Lock()
	defer k.loading.Unlock()
	if age := now.Sub(k.at); k.at.IsZero() || age < 0 || age >= fresh {
		shown, err := load()
		if err != nil {
			return shown, err
		}
		k.page, k.at = shown, now
	}
	return k.page, nil
}
