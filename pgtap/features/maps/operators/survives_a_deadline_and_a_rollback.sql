begin;
select plan(8);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.register_task_template('{"namespace": "test", "name": "late", "identity_strategy": "always_unique", "steps": [{"name": "each", "for_each": "$.lines"}, {"name": "after", "dependencies": ["each"]}]}');
create function pg_temp.counts() returns text language sql as $$
  select format('%s: ', t.state) || (select string_agg(x.n || ' ' || x.state, ', ' order by x.state::text) from (
      select count(*) as n, s.state from tasker.workflow_steps as s where s.task_uuid = t.task_uuid group by s.state
    ) as x)
    from tasker.tasks as t where t.task_uuid = tasker_test.the_task();
$$;
select set_config('tasker_test.task', c.task_uuid::text, true) is not null as made
  from tasker.create_task(
    'test', 'late', jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(1, 1500) as n)),
    p_deadline => '2026-11-22 13:00:00+00'
  ) as c;
select tasker_test.expand();
select is(pg_temp.counts(), 'steps_in_process: 1000 enqueued, 2 pending', 'half of the instances have started');

-- A crash between two batches leaves the note.
savepoint crash;
select tasker_test.expand();
select is(pg_temp.counts(), 'steps_in_process: 1500 enqueued, 2 pending', 'a second batch starts instances');
rollback to crash;
select is_empty('select tasker_test.violations()', 'a batch that was rolled back leaves no row behind');
select is((select count(*) from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'expand_map'), 1::bigint, 'the note of the map is still there');

select tasker_test.pass('61 minutes');
select tasker_test.expand();
select is(pg_temp.counts(), 'error: 1000 error, 2 pending', 'a deadline ends the expansion');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker.reset_task(tasker_test.the_task());
select tasker_test.orchestrate();
select tasker_test.finish_instances('each', 2000);
select tasker_test.expand();
select tasker_test.finish_instances('each', 2000);
select tasker_test.expand();
select is(pg_temp.counts(), 'steps_in_process: 1501 complete, 1 enqueued', 'a reset continues the expansion to its end');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
