-- However many steps wait, a claim does not read them: they are neither in the queue nor among what is due.
begin;
select plan(4);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[
  {"name": "approve", "await": {"signal": "approved"}, "timeout": "3d"}, {"name": "ship", "dependencies": ["approve"]}
]');
select from tasker.register_task_template('{"namespace": "test", "name": "plain", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}');
create function pg_temp.claim() returns bigint language sql as $$
  select tasker_test.buffers($s$ select * from tasker.claim_steps('{test}', '01980000-0000-7000-8000-00000000000b', 1) $s$);
$$;
select from tasker.create_tasks('test', 'plain', array_fill('{}'::jsonb, array[20]));
-- The least of ten: a plan that is made anew reads the catalogue, too.
select min(pg_temp.claim()) as before from generate_series(1, 10) \gset
select count(*) as made from tasker.create_tasks('test', 'order', array_fill('{}'::jsonb, array[10000])) \gset
analyze tasker.timers, tasker.waits;
-- A claim that read the waits would touch ten thousand rows. The margin is for indexes that are a level deeper.
select cmp_ok(
  (select min(pg_temp.claim()) from generate_series(1, 10)), '<', (:before + 8)::bigint,
  'a claim beside ten thousand waits does not read them'
);
select is((select count(*) from tasker.waits), 10001::bigint, 'all steps wait');
select is((select count(*) from tasker.step_queue as q where q.lane <> 'running'), 0::bigint, 'no step that waits is in the queue');
select is_empty($$ select r.task_name from tasker.get_next_ready_tasks(100) as r $$, 'no task is offered to an orchestrator');

select * from finish();
rollback;
