begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.waits(p_context jsonb) returns text language plpgsql as $$
begin
  perform tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid", "key": "$.order.no"}}]', '{}', p_context);
  perform tasker_test.fire_notes();
  return coalesce(
    (select 'key ' || w.event_key from tasker.waits as w where w.task_uuid = tasker_test.the_task()),
    (select s.state || ': ' || s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task())
  );
end;
$$;
select is(pg_temp.waits('{"order": {"no": "A-17"}}'), 'key A-17', 'the key can be a text in the context');
select is(pg_temp.waits('{"order": {"no": 17}}'), 'key 17', 'the key can be a number in the context');
select is(pg_temp.waits('{"order": {"no": true}}'), 'key true', 'the key can be a boolean in the context');
select is(pg_temp.waits(c.context), 'error: key: $.order.no of the context is not a text, number or boolean of at most 500 characters', c.what)
  from (values
    ('{}'::jsonb, 'nothing fails the step'), ('{"order": {"no": null}}', 'null'), ('{"order": {"no": [1]}}', 'an array'),
    (jsonb_build_object('order', jsonb_build_object('no', repeat('x', 501))), 'a text that is too long')
  ) as c (context, what);
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
