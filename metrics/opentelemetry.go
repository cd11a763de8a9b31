package metrics

import (
	"context"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/pgtasker/pgtasker/executor"
)

// Observe shows a database through an OpenTelemetry meter: each export is one reading. The metrics are the metrics of the Prometheus
// exporter with OpenTelemetry's names: pgtasker_queue_ready_steps is pgtasker.queue.ready_steps, and counters have no _total. The error of
// a failed reading is the callback's error, which the SDK reports. Unregister the registration to end the export.
func Observe(meter metric.Meter, db executor.DBTX, config Config) (metric.Registration, error) {
	config = config.withDefaults()
	instruments := make([]metric.Float64Observable, len(families))
	observables := make([]metric.Observable, len(families))
	for i, f := range families {
		var err error
		switch f.kind {
		case counter:
			instruments[i], err = meter.Float64ObservableCounter(otelName(f.name), metric.WithDescription(f.help), metric.WithUnit(f.unit))
		default:
			instruments[i], err = meter.Float64ObservableGauge(otelName(f.name), metric.WithDescription(f.help), metric.WithUnit(f.unit))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		observables[i] = instruments[i]
	}
	return meter.RegisterCallback(func(ctx context.Context, observer metric.Observer) error {
		ctx, cancel := context.WithTimeout(ctx, config.Timeout)
		defer cancel()
		r, err := read(ctx, db)
		if err != nil {
			return fmt.Errorf("pgtasker: reading metrics failed: %w", err)
		}
		for i, f := range families {
			for _, s := range f.read(r) {
				attributes := make([]attribute.KeyValue, len(s.labels))
				for n, value := range s.labels {
					attributes[n] = attribute.String(f.labels[n], value)
				}
				observer.ObserveFloat64(instruments[i], s.value, metric.WithAttributes(attributes...))
			}
		}
		return nil
	}, observables...)
}

// groups are the words that a dot follows in OpenTelemetry's names.
var groups = []string{"tasks", "steps", "queue", "namespace", "waiting", "step", "leases", "dlq", "subscription", "connections", "maintenance", "handler", "template"}

// otelName returns the name of a metric in OpenTelemetry, without the unit, which stands in its own field.
func otelName(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "pgtasker_"), "_total"), "_seconds")
	for _, group := range groups {
		if rest, found := strings.CutPrefix(name, group+"_"); found {
			return "pgtasker." + group + "." + rest
		}
	}
	return "pgtasker." + name
}
