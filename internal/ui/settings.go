package ui

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/pgtasker/pgtasker/executor"
)

type settingsPage struct {
	Settings []executor.Setting
	Changed  int
}

func (s settingsPage) mark() any {
	seen := []any{}
	for _, x := range s.Settings {
		seen = append(seen, x.Name, x.Value, x.ChangedAt)
	}
	return seen
}

func loadSettings(ctx context.Context, q *query) (page, error) {
	var (
		s   settingsPage
		err error
	)
	s.Settings, err = q.ListSettings(q.sorted(ctx))
	for _, x := range s.Settings {
		if x.Value != x.DefaultValue {
			s.Changed++
		}
	}
	return page{title: "Settings", data: s}, err
}

// readSetting reads the setting of the path.
func (q *query) readSetting(ctx context.Context) (executor.Setting, error) {
	name := q.r.PathValue("setting")
	all, err := q.ListSettings(ctx)
	if err != nil {
		return executor.Setting{}, err
	}
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
	}
	return executor.Setting{}, &Problem{Status: 404, Code: "TK404", Detail: "There is no setting " + cut(name, 100) + ".", Hint: "The list shows those that there are."}
}

// settingField is the input of a setting.
func settingField(s executor.Setting) field {
	f := field{Name: "value", Label: "Value", Value: s.Value, Required: true, Length: 100}
	switch s.Kind {
	case "boolean":
		f.Kind, f.Choices = "choice", []string{"true", "false"}
	case "choice":
		f.Kind, f.Choices = "choice", s.Choices
	case "tenant":
		f.Hint, f.Length = "none, tag: with the beginning of a tag, or context: with a path such as customer.id.", 200
	case "integer":
		f.Kind, f.Hint = "integer", bounds(schema{Type: "integer", Minimum: bound(s.Minimum), Maximum: bound(s.Maximum)})
	default:
		f.Kind, f.Hint = "number", bounds(schema{Minimum: bound(s.Minimum), Maximum: bound(s.Maximum)})
	}
	return f
}

// bound is the text of a bound. It is empty if there is no bound.
func bound(p *float64) json.Number {
	if p == nil {
		return ""
	}
	return json.Number(strconv.FormatFloat(*p, 'f', -1, 64))
}

func onSetting(ask func(executor.Setting) question, do func(ctx context.Context, q *query, s executor.Setting, form url.Values) (string, error)) action {
	return action{
		name: "setting", section: "settings",
		ask: func(ctx context.Context, q *query) (question, error) {
			s, err := q.readSetting(ctx)
			if err != nil {
				return question{}, err
			}
			asks := ask(s)
			asks.Named = true
			asks.About, asks.Back = s.Name+" is "+s.Value+". "+s.Description, Root+"/settings"
			asks.Effects = append(asks.Effects, "The new value applies from the next call of any function, in all namespaces.")
			return asks, nil
		},
		do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
			s, err := q.readSetting(ctx)
			if err != nil {
				return Note{}, err
			}
			before, err := do(ctx, q, s, form)
			if err != nil {
				return Note{}, err
			}
			now, err := q.readSetting(ctx)
			return answered(now.Value != before, s.Name+" was "+before+" and is now "+now.Value+"."), err
		},
	}
}

func settingActions() map[string]action {
	const path = "/settings/{setting}"
	return map[string]action{
		path + "/set": onSetting(func(s executor.Setting) question {
			return question{Title: "Change the setting", Button: "Change the setting", Effects: []string{"The default is " + s.DefaultValue + "."}, Fields: []field{settingField(s)}}
		}, func(ctx context.Context, q *query, s executor.Setting, form url.Values) (string, error) {
			value := form.Get("value")
			return q.SetSetting(ctx, s.Name, &value, act(form))
		}),
		path + "/restore": onSetting(func(s executor.Setting) question {
			asks := question{Title: "Restore the default", Button: "Restore the default", Effects: []string{"The value becomes " + s.DefaultValue + "."}}
			if s.Value == s.DefaultValue {
				asks.Idle = "The setting has its default."
			}
			return asks
		}, func(ctx context.Context, q *query, s executor.Setting, form url.Values) (string, error) {
			return q.SetSetting(ctx, s.Name, nil, act(form))
		}),
	}
}
