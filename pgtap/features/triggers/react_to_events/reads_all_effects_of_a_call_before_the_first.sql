begin;
select plan(6);

select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "caller_provided",
  "start_on": {"event": "paid"}, "cancel_on": {"event": "withdrawn"}, "steps": [{"name": "pack"}]}');
create function pg_temp.tasks() returns text language sql as $$
  select string_agg(concat_ws(' ', t.context, t.state), '; ' order by t.context::text)
    from tasker.list_tasks('test') as l cross join lateral tasker.get_task(l.task_uuid) as t;
$$;

select from tasker.emit_events('test', '{paid,unknown,paid,paid}', '{A,B,C,A}', '{"{\"n\": 1}","{\"n\": 2}","{\"n\": 3}","{\"n\": 4}"}');
select is(pg_temp.tasks(), '{"n": 1} steps_in_process; {"n": 3} steps_in_process', 'each event starts its task, the first of two with one identity key');
select is(
  (select count(*) from tasker.list_tasks('test') as l cross join lateral tasker.get_task(l.task_uuid) as t
     join tasker.broadcasts as b on b.event_uuid = (t.headers ->> 'event_uuid')::uuid and b.payload = t.context),
  2::bigint, 'each task names its own event'
);
select from tasker.emit_events('test', '{paid,withdrawn,paid,withdrawn,withdrawn,withdrawn}', '{A,A,D,D,none,A}', array_fill('{"n": 5}'::jsonb, array[6]));
select is(
  pg_temp.tasks(), '{"n": 1} cancelled; {"n": 3} steps_in_process; {"n": 5} steps_in_process',
  'an event cancels the task that was there, and no task that another event of the call starts'
);
select from tasker.register_task_template('{"namespace": "test", "name": "strict", "identity_strategy": "strict", "start_on": {"event": "number"},
  "input_schema": {"required": ["n"]}, "steps": []}');
select throws_ok(
  $$ select tasker.emit_events('test', '{paid,number}', '{E,E}', '{"{\"n\": 6}","{}"}') $$, 'TK422', 'task "test/strict": context.n is missing', 'one task cannot be started'
);
select is((select count(*) from tasker.broadcasts as b where b.key = 'E') + (select count(*) from tasker.tasks as t where t.context = '{"n": 6}'), 0::bigint, 'then no event is emitted, and no task started');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
