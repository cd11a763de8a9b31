begin;
select plan(10);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.counts() returns text language sql as $$
  select format('%s of %s', s.expansion ->> 'expanded', s.expansion ->> 'elements') || ', total ' || t.total_steps || ', active ' || t.active_steps
    from tasker.tasks as t join tasker.workflow_steps as s on s.task_uuid = t.task_uuid and s.name = 'each'
   where t.task_uuid = tasker_test.the_task();
$$;
select tasker_test.create_waiting(
  'big', '[{"name": "each", "for_each": "$"}, {"name": "after", "dependencies": ["each"]}]', p_fields => '{"on_failure": "continue"}',
  p_context => '{}'
) is not null as made;
select tasker_test.create_waiting(
  'wide', '[{"name": "each", "for_each": "$.lines"}, {"name": "after", "dependencies": ["each"]}]',
  p_context => jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(0, 2499) as n))
) is not null as made;
select tasker_test.expand();
select is(pg_temp.counts(), '999 of 2500, total 1001, active 999', 'one call inserts at most a thousand instances, of all maps together');
select is_empty('select tasker_test.violations()', 'every invariant holds in between');
select tasker_test.finish_instances('each', 999);
select is((select s.state::text from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name = 'each'), 'pending', 'the map waits for the rest');
select tasker_test.expand();
select is(pg_temp.counts(), '1999 of 2500, total 2001, active 1000', 'the next thousand follow');
select tasker_test.expand();
select is(pg_temp.counts(), '2500 of 2500, total 2502, active 1501', 'the last call inserts the rest');
select is_empty($$ select from tasker.timers as m where m.task_uuid = tasker_test.the_task() $$, 'no note is left after the expansion');
select tasker_test.finish_instances('each', 5000);
select tasker_test.expand();
select is((select string_agg(s.name || '=' || s.state, ' ' order by s.step_no) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.step_no <= 2), 'each=complete after=enqueued', 'the map completes');
select is(
  (select jsonb_array_length(c.parent_results -> 'each')::text || (c.parent_results #>> '{each,1234,got}')
     from tasker.claim_steps('{test}', tasker_test.worker(), 1, 60, '{after}') as c where c.task_uuid = tasker_test.the_task()),
  '25001234', 'the child gets all results in order'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.create_waiting('cut', '[{"name": "each", "for_each": "$.lines"}]',
  p_context => jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(0, 2499) as n))) is not null as made;
select tasker_test.expand();
select tasker.cancel_task(tasker_test.the_task());
select tasker_test.expand();
select is(
  (select string_agg(x.n || ' ' || x.state, ', ') from (
    select count(*) as n, s.state from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() group by s.state) as x),
  '1001 cancelled', 'a cancellation in the middle ends the expansion'
);

select * from finish();
rollback;
