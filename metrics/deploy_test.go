package metrics_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/pgtasker/pgtasker/metrics"
)

var metricName = regexp.MustCompile(`\bpgtasker_[a-z_]+`)

// shown returns the names of the metrics that the handler shows.
func shown(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^pgtasker_[a-z_]+`).FindAllString(scrape(t, metrics.Handler(newDatabase(t), metrics.Config{})), -1) {
		names[line] = true
	}
	require.NotEmpty(t, names)
	return names
}

// label matches the attributes of worker/otelworker by their names in Prometheus.
var label = regexp.MustCompile(`^pgtasker_(namespace|step_handler|step_outcome)$`)

// workerMetrics returns the metrics of worker/otelworker by their names in Prometheus, without suffixes.
func workerMetrics(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile("../worker/otelworker/meters.go")
	require.NoError(t, err)
	for _, found := range regexp.MustCompile(`"(pgtasker\.worker\.[a-z.]+)"`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, strings.ReplaceAll(found[1], ".", "_"))
	}
	require.NotEmpty(t, names)
	return names
}

// workerMetric returns the metric that the series name belongs to.
func workerMetric(workers []string, name string) string {
	name = regexp.MustCompile(`(_seconds)?(_bucket|_sum|_count|_total)?$`).ReplaceAllString(name, "")
	if slices.Contains(workers, name) {
		return name
	}
	return ""
}

func TestDashboard_NamesOnlyMetricsThatTheHandlerShows(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../deploy/grafana/pgtasker.json")
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			ID          int
			Title       string
			Type        string
			Description string
			Targets     []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Query string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &dashboard))

	names := shown(t)
	workers := workerMetrics(t)
	used := map[string]bool{}
	ids := map[int]bool{}
	for _, panel := range dashboard.Panels {
		require.False(t, ids[panel.ID], "two panels have the id %d", panel.ID)
		ids[panel.ID] = true
		if panel.Type == "row" {
			continue
		}
		require.NotEmpty(t, panel.Description, panel.Title)
		require.NotEmpty(t, panel.Targets, panel.Title)
		for _, target := range panel.Targets {
			found := metricName.FindAllString(target.Expr, -1)
			require.NotEmpty(t, found, target.Expr)
			for _, name := range found {
				if known := workerMetric(workers, name); known != "" {
					used[known] = true
					continue
				}
				if label.MatchString(name) {
					continue
				}
				require.Contains(t, names, name, "panel %q", panel.Title)
				used[name] = true
			}
		}
	}
	for _, name := range workers {
		require.Contains(t, used, name, "no panel shows it")
	}
	for _, variable := range dashboard.Templating.List {
		for _, name := range metricName.FindAllString(variable.Query, -1) {
			require.Contains(t, names, name)
		}
	}
	// Every metric is on a dashboard, except three that only alerts read.
	for name := range names {
		if name != "pgtasker_namespace_paused" && name != "pgtasker_waiting_oldest_seconds" && name != "pgtasker_maintenance_failed" {
			require.Contains(t, used, name, "no panel shows it")
		}
	}
}

func TestAlertRules_NameOnlyMetricsThatTheHandlerShows(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../deploy/prometheus/pgtasker.rules.yml")
	require.NoError(t, err)
	var file struct {
		Groups []struct {
			Rules []struct {
				Alert       string
				Expr        string
				For         string
				Labels      map[string]string
				Annotations map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &file))
	names := shown(t)
	alerts := map[string]bool{}
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			require.False(t, alerts[rule.Alert], rule.Alert)
			alerts[rule.Alert] = true
			found := metricName.FindAllString(rule.Expr, -1)
			require.NotEmpty(t, found, rule.Alert)
			for _, name := range found {
				require.Contains(t, names, name, rule.Alert)
			}
			require.Contains(t, []string{"warning", "critical"}, rule.Labels["severity"], rule.Alert)
			require.NotEmpty(t, rule.For, rule.Alert)
			require.NotEmpty(t, rule.Annotations["summary"], rule.Alert)
			require.NotEmpty(t, rule.Annotations["description"], rule.Alert)
		}
	}
	require.NotEmpty(t, alerts)
}
