begin;
select plan(10);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "caller_provided",
  "start_on": [{"event": "paid", "key": "eu", "when": "$.amount > 10", "identity": "$.order"}], "cancel_on": {"event": "paid", "identity": "$.instead_of"},
  "input_schema": {"required": ["amount"]}, "steps": [{"name": "pack"}]}');
create function pg_temp.effects(p_key text, p_payload jsonb) returns setof text language sql as $$
  select concat_ws(' ', e.action, e.task_name, e.version, e.outcome, e.identity_key, e.task_uuid is not null, e.problem) from tasker.test_event('test', 'paid', p_key, p_payload) as e;
$$;
select results_eq($$ select pg_temp.effects(null, null) $$, $$ values ('start order 0.1.0 other_key f'), ('cancel order 0.1.0 no_task f') $$, 'another key');
select results_eq($$ select pg_temp.effects('eu', '{"amount": 1}') $$, $$ values ('start order 0.1.0 other_payload f'), ('cancel order 0.1.0 no_task f') $$, 'another payload');
select results_eq(
  $$ select pg_temp.effects('eu', '{"amount": 11, "order": 7}') $$, $$ values ('start order 0.1.0 starts 7 f'), ('cancel order 0.1.0 no_task f') $$, 'it would start a task'
);
select results_eq(
  $$ select pg_temp.effects('eu', '{"amount": 11}') $$,
  $$ values ('start order 0.1.0 starts f task "test/order" needs an identity key'), ('cancel order 0.1.0 no_task f') $$, 'it would be refused'
);
select is_empty($$ select from tasker.tasks $$, 'nothing is created');
select from tasker.emit_event('test', 'paid', 'eu', '{"amount": 11, "order": 7}');
select results_eq(
  $$ select pg_temp.effects('eu', '{"amount": 11, "order": 7, "instead_of": "7"}') $$, $$ values ('start order 0.1.0 exists 7 t'), ('cancel order 0.1.0 cancels 7 t') $$,
  'the key has a task'
);
select is_empty($$ select tasker.test_event('test', 'other') $$, 'no template names it');

-- Equal contexts are one task where the template says so.
select from tasker.register_task_template('{"namespace": "test", "name": "mail", "start_on": {"event": "sent"}, "steps": [{"name": "write"}]}');
select results_eq($$ select e.outcome from tasker.test_event('test', 'sent', null, '{"to": "ann"}') as e $$, $$ values ('starts') $$, 'the first of a context starts');
select from tasker.emit_event('test', 'sent', null, '{"to": "ann"}');
select results_eq(
  $$ select e.outcome, e.task_uuid is not null from tasker.test_event('test', 'sent', null, '{"to": "ann"}') as e $$, $$ values ('exists', true) $$,
  'the second of an equal context finds its task'
);

-- Two events that name the same tasks the other way round would wait for each other.
select from tasker.register_task_template('{"namespace": "test", "name": "pair", "identity_strategy": "caller_provided", "steps": [{"name": "join"}],
  "start_on": [{"event": "met", "identity": "$.a"}, {"event": "met", "identity": "$.b"}]}');
select is(
  (select array_agg(e.identity_key) from tasker.event_effects('test', 'met', null, '{"a": "x", "b": "y"}') as e),
  (select array_agg(e.identity_key) from tasker.event_effects('test', 'met', null, '{"a": "y", "b": "x"}') as e),
  'identities are locked in one order, whichever trigger names them'
);

select * from finish();
rollback;
