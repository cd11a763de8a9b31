package main

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// threeValued are the optional arguments whose zero differs from their default. They stay pointers.
var threeValued = []string{
	"AfterSortKey", "AfterStepNo", "BackoffRequestSeconds", "Concurrency", "Description", "DryRun", "PriorityModifier", "Rate",
	"Round", "Success", "VtSeconds", "afterSortKey", "beforeSortKey", "value", "vtSeconds",
}

// argument is an argument of a query.
type argument struct {
	name, goType string
	optional     bool // sqlc has a pointer
}

// bounds are the names that queries give to the number of rows that a call returns, or to the number of things that it takes.
// The generated Go has one name for all of them.
var bounds = []string{"MaxRows", "MaxSteps", "MaxTasks", "MaxEntries", "MaxItems", "MaxParts", "LimitCount"}

func (f *face) argument(name string, t ast.Expr) argument {
	for _, bound := range bounds {
		switch name {
		case bound:
			name = "Limit"
		case unexported(bound):
			name = "limit"
		}
	}
	if star, ok := t.(*ast.StarExpr); ok && !slices.Contains(threeValued, name) {
		return argument{name, f.goType(star.X), true}
	}
	return argument{name, f.goType(t), false}
}

// value returns the argument in the form that package gen takes.
func (a argument) value(source string) string {
	if a.optional {
		return "optional(" + source + ")"
	}
	return source
}

// method writes a method, after the type of its arguments if it has one.
func (f *face) method(b *strings.Builder, method *ast.FuncDecl) {
	name := exported(method.Name.Name)
	var parameters, values []string
	for _, parameter := range method.Type.Params.List {
		for _, p := range parameter.Names {
			if p.Name == "ctx" {
				continue
			}
			if named, ok := parameter.Type.(*ast.Ident); ok && structOf(f.gen.types[named.Name]) != nil {
				p, v := f.parametersOf(b, name, named.Name, p.Name)
				parameters, values = append(parameters, p...), append(values, v)
				continue
			}
			if field, ok := actField(p.Name); ok {
				values = append(values, "optional(only(by)."+field+")")
				if parameters[len(parameters)-1] != "by ...By" {
					parameters = append(parameters, "by ...By")
				}
				continue
			}
			a := f.argument(unexported(p.Name), parameter.Type)
			parameters = append(parameters, a.name+" "+a.goType)
			values = append(values, a.value(a.name))
		}
	}
	f.methodDoc(b, name, method)
	fmt.Fprintf(b, "func (e *Functions) %s(%s) (%s, error) {\n", name,
		strings.Join(append([]string{"ctx context.Context"}, parameters...), ", "), f.goType(result(method)))
	call := fmt.Sprintf("e.q.%s(%s)", method.Name.Name, strings.Join(append([]string{"ctx"}, values...), ", "))
	fmt.Fprintf(b, "return %s\n}\n\n", call)
}

// actField returns the field of By that an argument is: queries name them act_actor and act_reason.
func actField(name string) (string, bool) {
	switch name {
	case "actActor", "ActActor":
		return "Actor", true
	case "actReason", "ActReason":
		return "Reason", true
	}
	return "", false
}

// parametersOf returns the parameters that stand for a type of arguments of package gen, and their conversion to this type. The
// actor and the reason come last, as a By that may be left out. parametersOf writes a struct for the other parameters, unless
// they are few.
func (f *face) parametersOf(b *strings.Builder, method, name, parameter string) (parameters []string, value string) {
	var fields, act []*ast.Field
	for _, field := range structOf(f.gen.types[name]).Fields.List {
		if _, ok := actField(field.Names[0].Name); ok {
			act = append(act, field)
		} else {
			fields = append(fields, field)
		}
	}
	var values strings.Builder
	if len(act) > 0 && len(fields) <= 3 {
		for _, field := range fields {
			a := f.argument(unexported(field.Names[0].Name), field.Type)
			parameters = append(parameters, a.name+" "+a.goType)
			fmt.Fprintf(&values, "%s: %s,\n", field.Names[0].Name, a.value(a.name))
		}
	} else {
		parameters = append(parameters, parameter+" "+exported(name))
		values.WriteString(f.argumentsType(b, method, name, parameter, fields))
	}
	for _, field := range act {
		of, _ := actField(field.Names[0].Name)
		fmt.Fprintf(&values, "%s: optional(only(by).%s),\n", field.Names[0].Name, of)
	}
	if len(act) > 0 {
		parameters = append(parameters, "by ...By")
	}
	return parameters, fmt.Sprintf("gen.%s{\n%s}", name, values.String())
}

// argumentsType writes the type of a method's arguments, and returns the conversion of its fields to the fields of
// package gen.
func (f *face) argumentsType(b *strings.Builder, method, name, parameter string, fields []*ast.Field) string {
	fmt.Fprintf(b, "// %s are the arguments of %s. The zero value of an argument that may be left out is its default.\n", exported(name), method)
	fmt.Fprintf(b, "type %s struct {\n", exported(name))
	var values strings.Builder
	for _, field := range fields {
		a := f.argument(exported(field.Names[0].Name), field.Type)
		comment(b, field.Doc.Text())
		fmt.Fprintf(b, "%s %s\n", a.name, a.goType)
		fmt.Fprintf(&values, "%s: %s,\n", field.Names[0].Name, a.value(parameter+"."+a.name))
	}
	b.WriteString("}\n\n")
	return values.String()
}

// methodDoc writes the comment of the query, then the comment of the SQL function.
func (f *face) methodDoc(b *strings.Builder, name string, method *ast.FuncDecl) {
	text := strings.TrimSpace(method.Doc.Text())
	if old := method.Name.Name; old != name {
		text = strings.Replace(text, old, name, 1)
	}
	comment(b, text)
	if sql := strings.TrimSpace(f.comments[name]); sql != "" {
		b.WriteString("//\n")
		comment(b, "In SQL, tasker."+sqlName(name)+": "+sql)
	}
}

// docOf returns the comment of a row type, made from the comment on its view.
func docOf(name, text string) string {
	var b strings.Builder
	text = strings.TrimSpace(strings.TrimPrefix(text, "Row type: "))
	comment(&b, name+" is "+text)
	return b.String()
}

func comment(b *strings.Builder, text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		for _, line := range wrap(line, 117) {
			b.WriteString(strings.TrimRight("// "+line, " ") + "\n")
		}
	}
}

// wrap breaks a line between words into lines of at most `width` characters. A longer word has a line of its own.
func wrap(line string, width int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(line) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(*last)+1+len(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
