package messagingtest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/messaging"
)

// hostile are JSON texts that have broken brokers, drivers or escaping somewhere.
func hostile() []string {
	return []string{
		`null`, `true`, `0`, `""`, `[]`, `{}`, `[null]`, `{"": ""}`,
		`-123456789012345678901234567890.000000000000000000001`,
		`9007199254740993`,
		`"'; drop table tasker.tasks; --"`, `"$$ $1 %s %I {{.}} ${x}"`, `"\"\\\/\b\f\n\r\t"`, `"\\u0000"`, `"\u0001\u001f\u007f"`,
		`"\u2028\u2029\ufeff\ufffe"`, `"日本語 العربية 🙂 é"`, `"\ud83d\ude42"`, `{"\u00e9": 1}`,
		" \t\r\n{ \"spaces\" :\n1 } ",
		`{"payload": {"message_id": "not mine", "headers": {}}}`,
		strings.Repeat(`[`, 500) + strings.Repeat(`]`, 500),
		`"` + strings.Repeat("x", messaging.MaxBody-2) + `"`,
	}
}

func payloads(s *suite) {
	q := s.open()
	headers := map[string]string{
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "empty": "", "x-death": "1", "x-delivery-count": "99",
		"quote'\"": "'; drop table tasker.tasks; --", "日本語": "🙂\n\t\u0001", "large": strings.Repeat("y", 4096), "number": "7",
	}
	bodies := hostile()
	for i, body := range bodies {
		s.must(q.Send(s.ctx(), messaging.Message{ID: "ID '\"🙂 " + string(rune('a'+i)), Body: json.RawMessage(body), Headers: headers}))
	}
	for i, d := range s.receive(q, len(bodies)) {
		s.sameJSON(d.Body, bodies[i])
		equal(s, d.ID, "ID '\"🙂 "+string(rune('a'+i)), "the ID")
		if !reflect.DeepEqual(d.Headers, headers) {
			s.Fatalf("headers of message %d: got %q, want %q", i, d.Headers, headers)
		}
		s.acknowledge(q, d)
	}
	s.deep(q, 0)
}

// sameJSON ends the test unless two texts are the same JSON, with every digit of its numbers.
func (s *suite) sameJSON(got json.RawMessage, want string) {
	s.Helper()
	if !reflect.DeepEqual(s.decode(got), s.decode([]byte(want))) {
		s.Fatalf("the body is %.200q, not %.200q", got, want)
	}
}

func (s *suite) decode(text []byte) (value any) {
	s.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	s.must(decoder.Decode(&value))
	return value
}

func unsendable(s *suite) {
	q := s.open()
	good := messaging.Message{Body: json.RawMessage(`1`)}
	with := func(name, value string) messaging.Message {
		return messaging.Message{Body: good.Body, Headers: map[string]string{name: value}}
	}
	for what, bad := range map[string]messaging.Message{
		"no body":                 {},
		"a body that is not JSON": {Body: json.RawMessage(`{`)},
		"two bodies":              {Body: json.RawMessage(`1 2`)},
		"a zero byte":             {Body: json.RawMessage(`"a\u0000"`)},
		"half a surrogate pair":   {Body: json.RawMessage(`"\ud83d"`)},
		"a body in Latin-1":       {Body: json.RawMessage("\"\xe9\"")},
		"a body that is too large": {
			Body: json.RawMessage(`"` + strings.Repeat("x", messaging.MaxBody-1) + `"`),
		},
		"an ID that is too long":    {Body: good.Body, ID: strings.Repeat("i", 256)},
		"an ID with a zero byte":    {Body: good.Body, ID: "a\x00"},
		"a header in Latin-1":       with("h", "\xe9"),
		"a header with a zero byte": with("h", "\x00"),
		"a header without a name":   with("", "v"),
		"the header of the ID":      with(messaging.HeaderID, "v"),
		"headers that are large":    with("h", strings.Repeat("v", messaging.MaxHeaders)),
	} {
		if err := q.Send(s.ctx(), good, bad); err == nil {
			s.Errorf("%s is accepted", what)
		} else {
			s.is(err, messaging.ErrInvalid)
		}
	}
	s.is(q.Send(s.ctx()), messaging.ErrInvalid)
	many := make([]messaging.Message, messaging.MaxBatch+1)
	for i := range many {
		many[i] = good
	}
	s.is(q.Send(s.ctx(), many...), messaging.ErrInvalid)

	s.must(q.Send(s.ctx(), many[1:]...))
	s.deep(q, messaging.MaxBatch)
}

func badArguments(s *suite) {
	q := s.open()
	s.send(q, `1`)
	for _, most := range []int{-1, 0, messaging.MaxBatch + 1} {
		_, err := q.Receive(s.ctx(), most)
		s.is(err, messaging.ErrInvalid)
	}
	d := s.one(q)
	for _, lease := range []time.Duration{0, -time.Second, time.Millisecond, 25 * time.Hour} {
		s.is(q.Extend(s.ctx(), d, lease), messaging.ErrInvalid)
	}
	for _, receipt := range []string{"", "1", "/", "x/1", "1/x", "'; --", "9223372036854775808/1", strings.Repeat("9", 1000)} {
		forged := d
		forged.Receipt = receipt
		s.is(q.Acknowledge(s.ctx(), forged), messaging.ErrInvalid)
		s.is(q.Refuse(s.ctx(), forged), messaging.ErrInvalid)
		s.is(q.Extend(s.ctx(), forged, longLease), messaging.ErrInvalid)
	}
	s.acknowledge(q, d)
}
