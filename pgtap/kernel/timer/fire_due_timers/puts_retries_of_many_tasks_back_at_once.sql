begin;
select plan(6);

select tasker_test.freeze();
create temporary table made (task uuid);
do $$
begin
  for i in 1 .. 5 loop
    insert into made select tasker_test.create_task();
    perform tasker_test.run('top');
    perform tasker_test.claim('left', 'right');
    perform tasker_test.fail_for_good('left', false);
    if i > 2 then
      perform tasker_test.fail_for_good('right', false);
    end if;
  end loop;
end;
$$;
select results_eq(
  'select t.state::text, count(*) from made as m cross join lateral tasker.get_task(m.task) as t group by t.state order by t.state',
  $$ values ('steps_in_process', 2::bigint), ('waiting_for_retry', 3) $$, 'some tasks only wait, others also have steps in process'
);

select tasker_test.pass('1 hour');
select is(tasker.fire_due_timers(), 8, 'all eight retries fire');
select results_eq(
  'select t.state::text, count(*) from made as m cross join lateral tasker.get_task(m.task) as t group by t.state order by t.state',
  $$ values ('steps_in_process', 5::bigint) $$, 'all tasks continue'
);
select is(
  (
    select count(*)
      from made as m
      join tasker.workflow_steps as s on s.task_uuid = m.task and s.state = 'enqueued'
     where s.attempts = 1
  ),
  8::bigint, 'the steps are in the queue, and their attempts are kept'
);
select results_eq(
  $$
  select string_agg(l.event || ' ' || l.to_state, ', ' order by l.sort_key)
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.step_no = 2
     and l.sort_key > 4
  $$,
  $$ values ('Retry pending, Enqueue enqueued') $$, 'the log shows each transition'
);
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
