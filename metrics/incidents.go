package metrics

import (
	"cmp"
	"slices"

	"github.com/pgtasker/pgtasker/internal/judge"
)

// verdict returns the verdict as a number: 0 well, 1 look today, 2 act now.
func verdict(r reading) float64 {
	switch r.verdict.Severity {
	case judge.ActNow:
		return 2
	case judge.LookToday:
		return 1
	}
	return 0
}

// incidents counts the open incidents.
func incidents(r reading) []sample {
	type key struct{ severity, kind, namespace string }
	counts := map[key]float64{}
	for _, i := range r.verdict.Incidents {
		k := key{i.Severity, i.Kind, ""}
		if i.Namespace != nil {
			k.namespace = *i.Namespace
		}
		counts[k]++
	}
	samples := make([]sample, 0, len(counts))
	for k, n := range counts {
		samples = append(samples, sample{n, []string{k.severity, k.kind, k.namespace}})
	}
	slices.SortFunc(samples, func(a, b sample) int { return slices.CompareFunc(a.labels, b.labels, cmp.Compare) })
	return samples
}
