package tagvalidator_test

import (
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/tasklib"
	"github.com/pgtasker/pgtasker/tasklib/tagvalidator"
)

var _ tasklib.Validator = (*tagvalidator.Validator)(nil)

type address struct {
	City string `json:"city" validate:"required"`
}

type email struct {
	To      string    `json:"to" validate:"required,email"`
	Copies  []address `json:"copies" validate:"dive"`
	Text    string    `json:"text,omitempty" validate:"max=5"`
	Address address   `json:"address"`
}

func TestStruct_NamesFieldsAsJSONDoes(t *testing.T) {
	t.Parallel()
	v := tagvalidator.New()
	good := email{To: "a@example.org", Address: address{"Bonn"}}
	require.NoError(t, v.Struct(good))
	require.NoError(t, v.Struct(&good))

	err := v.Struct(email{To: "secret", Copies: []address{{"Ulm"}, {}}, Text: "too long"})
	var field interface{ Field() string }
	require.ErrorAs(t, err, &field)
	require.Equal(t, "to", field.Field())
	require.EqualError(t, err, `to breaks the rule "email"; copies[1].city breaks the rule "required"; `+
		`text breaks the rule "max=5"; address.city breaks the rule "required"`)
	require.NotContains(t, err.Error(), "secret")
	var own validator.ValidationErrors
	require.ErrorAs(t, err, &own)
}

func TestStruct_IsWhatTasksAreCheckedWith(t *testing.T) {
	t.Parallel()
	client := tasklib.NewClient(nil, tasklib.Config{Validator: tagvalidator.New()})
	task := tasklib.MustRegister[email, bool](client, "email", nil, tasklib.Options{})

	_, err := task.Submit(t.Context(), nil, email{To: "no address"})
	var args *tasklib.ArgsError
	require.ErrorAs(t, err, &args)
	require.Equal(t, "to", args.Field)
}

func TestValidate_AcceptsCustomRules(t *testing.T) {
	t.Parallel()
	v := tagvalidator.New()
	require.NoError(t, v.Validate().RegisterValidation("even", func(f validator.FieldLevel) bool { return f.Field().Int()%2 == 0 }))
	type pair struct {
		N int `json:"n" validate:"even"`
	}
	require.NoError(t, v.Struct(pair{2}))
	require.ErrorContains(t, v.Struct(pair{3}), `n breaks the rule "even"`)
}
