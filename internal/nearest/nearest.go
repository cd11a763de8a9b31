// Package nearest finds the name that a mistyped name most likely means.
package nearest

import "strings"

// Name returns the name in a list that a mistyped name most likely means, or nothing. Like tasker.nearest_name in the
// database, it picks the name that shares most pairs of neighbouring letters with the mistyped name.
func Name(name string, names []string) (best string) {
	const likely = 0.35
	given := pairs(name)
	most := 0.0
	for _, candidate := range names {
		have := pairs(candidate)
		common := 0
		for pair := range have {
			if given[pair] {
				common++
			}
		}
		share := 2 * float64(common) / float64(len(given)+len(have))
		if share >= likely && (share > most || share == most && candidate < best) {
			best, most = candidate, share
		}
	}
	return best
}

func pairs(name string) map[string]bool {
	letters := []rune(strings.ToLower(name))
	letters = append([]rune{'^'}, append(letters[:min(len(letters), 128)], '$')...)
	set := map[string]bool{}
	for i := range len(letters) - 1 {
		set[string(letters[i:i+2])] = true
	}
	return set
}
