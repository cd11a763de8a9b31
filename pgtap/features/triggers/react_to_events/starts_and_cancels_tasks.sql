begin;
select plan(20);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "caller_provided",
  "start_on": {"event": "paid", "when": "$.amount > 10", "identity": "$.order",
    "context": {"order": "$.order", "amount": "$.amount", "none": "$.none", "fixed": {"value": "$x"}, "list": [1]}},
  "cancel_on": [{"event": "withdrawn"}, {"event": "lost", "identity": "$.order", "key": "eu"}],
  "steps": [{"name": "pack"}]}');
select from tasker.register_task_template('{"namespace": "test", "name": "copy", "identity_strategy": "always_unique", "start_on": {"event": "paid"}, "steps": [{"name": "pack"}]}');
create function pg_temp.tasks() returns text language sql as $$
  select string_agg(concat_ws(' ', t.name, t.context, t.state), '; ' order by t.name, t.task_uuid)
    from tasker.list_tasks('test') as l cross join lateral tasker.get_task(l.task_uuid) as t;
$$;

select from tasker.emit_event('test', 'unknown', p_payload => '{"amount": 11}');
select is(pg_temp.tasks(), null, 'an event that no template names starts nothing');
select is((select count(*) from tasker.broadcasts as b where b.reacts), 0::bigint, 'and no trigger is called for it');
select from tasker.emit_event('test', 'paid', 'k', '{"order": "A", "amount": 11}', 'once');
select is(
  pg_temp.tasks(),
  'copy {"order": "A", "amount": 11} steps_in_process; order {"list": [1], "fixed": "$x", "order": "A", "amount": 11} steps_in_process',
  'the payload is the context, or what the template makes of it'
);
select results_eq(
  $$ select t.name, t.source_system, t.reason, t.headers ->> 'event', t.headers ->> 'event_uuid' = b.event_uuid::text
      from tasker.list_tasks('test') as l cross join lateral tasker.get_task(l.task_uuid) as t join tasker.broadcasts as b on b.name = 'paid' order by 1 $$,
  $$ values ('copy', 'event', 'event "paid"', 'paid', true), ('order', 'event', 'event "paid"', 'paid', true) $$, 'a task says which event has started it'
);
select is((select e.repeated from tasker.emit_event('test', 'paid', 'k', '{"order": "B", "amount": 11}', 'once') as e), true, 'a repeat of the event');
select is((select count(*) from tasker.list_tasks('test')), 2::bigint, 'starts nothing');
select from tasker.emit_event('test', 'paid', p_payload => '{"order": "A", "amount": 12}');
select is(
  (select string_agg(l.name, ' ' order by l.name) from tasker.list_tasks('test') as l), 'copy copy order',
  'another event with the same identity key starts nothing, whatever its payload'
);
select from tasker.emit_event('test', 'paid', p_payload => '{"order": "B", "amount": 10}');
select from tasker.emit_event('test', 'paid', p_payload => '{"order": "B", "amount": "x"}');
select is(
  (select string_agg(l.name, ' ' order by l.name) from tasker.list_tasks('test') as l), 'copy copy copy copy order',
  'a payload that does not meet the condition starts nothing'
);

-- Cancellation.
select from tasker.emit_event('test', 'withdrawn', 'B');
select from tasker.emit_event('test', 'lost', 'us', '{"order": "A"}');
select is((select t.state::text from tasker.list_tasks('test', 'order') as t), 'steps_in_process', 'events of another key cancel nothing');
select from tasker.emit_event('test', 'withdrawn', 'A');
select is((select t.state::text from tasker.list_tasks('test', 'order') as t), 'cancelled', 'an event cancels the task whose identity key is its key');
select is(
  (select l.reason from tasker.list_tasks('test', 'order') as t join tasker.task_log as l on l.task_uuid = t.task_uuid where l.reason is not null),
  'event "withdrawn"', 'its history says so'
);
select lives_ok($$ select tasker.emit_event('test', 'withdrawn', 'A') $$, 'an event whose task has ended changes nothing');
select from tasker.emit_event('test', 'paid', p_payload => '{"order": "C", "amount": 12}');
select from tasker.emit_event('test', 'lost', 'eu', '{"order": "C"}');
select is(
  (select string_agg(t.state::text, ' ') from tasker.list_tasks('test', 'order') as t), 'cancelled cancelled', 'a path of the payload leads to the identity key'
);

-- Versions: the newest starts tasks, each cancels its own.
select from tasker.emit_event('test', 'paid', p_payload => '{"order": "D", "amount": 12}');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "version": "2.0.0", "identity_strategy": "caller_provided", "steps": [{"name": "pack"}]}');
select from tasker.emit_event('test', 'paid', p_payload => '{"order": "E", "amount": 12}');
select is((select count(*) from tasker.list_tasks('test', 'order')), 3::bigint, 'a newer version without start_on starts none');
select from tasker.create_task('test', 'order', p_identity_key => 'F');
select from tasker.emit_event('test', 'withdrawn', 'F');
select from tasker.emit_event('test', 'withdrawn', 'D');
select is(
  (select string_agg(concat_ws(' ', t.version, t.state), '; ' order by t.version, t.state::text) from tasker.list_tasks('test', 'order') as t),
  '0.1.0 cancelled; 0.1.0 cancelled; 0.1.0 cancelled; 2.0.0 steps_in_process',
  'the old version cancels its own tasks only'
);
select tasker.retire_task_template('test', 'order', '2.0.0');
select from tasker.emit_event('test', 'paid', p_payload => '{"order": "G", "amount": 12}');
select is((select count(*) from tasker.list_tasks('test', 'order')), 5::bigint, 'when it is retired, the newest that is left starts them again');

-- What would be refused is not emitted.
select from tasker.register_task_template('{"namespace": "test", "name": "strict", "identity_strategy": "always_unique", "start_on": {"event": "number"},
  "input_schema": {"required": ["n"]}, "steps": []}');
select throws_ok($$ select tasker.emit_event('test', 'number', p_payload => '{}') $$, 'TK422', 'task "test/strict": context.n is missing', 'a context that does not fit');
select throws_ok($$ select tasker.emit_event('test', 'number', p_payload => '7') $$, 'TK422', 'context of task "test/strict" is not a JSON object', 'a payload that is no object');
select is_empty($$ select from tasker.broadcasts as b where b.name = 'number' $$, 'the event is not there');
select is_empty('select v.* from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
