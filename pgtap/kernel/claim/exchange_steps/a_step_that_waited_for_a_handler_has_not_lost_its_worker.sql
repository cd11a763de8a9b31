begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('trio', 'a', 'b', 'c');
select tasker_test.launch('trio');

create temporary table claimed as
select row_number() over () as n, x.*
  from tasker.exchange_steps(tasker_test.worker(1), p_limit => 3, p_request_uuid => gen_random_uuid(), p_ahead => 2) as x;
select tasker_test.pass('1 minute');
select results_eq(
  $$
  select c.lost_count, x.lost_count, x.attempt
    from tasker.exchange_steps(tasker_test.worker(2), p_limit => 3) as x
    join claimed as c
      on c.step_uuid = x.step_uuid
   order by c.n
  $$,
  $$ values (0, 1, 1), (0, 0, 1), (0, 0, 1) $$,
  'only the step with a free handler counts as lost with its worker'
);
select results_eq(
  $$
  select l.reason, l.metadata
    from tasker.workflow_step_transition_log as l
    join claimed as c
      on c.step_no = l.step_no
   where l.task_uuid = tasker_test.the_task()
     and l.event = 'LeaseExpired'
   order by c.n
  $$,
  $$ values (null, null), ('its handler had not begun', '{"begun": false}'::jsonb), ('its handler had not begun', '{"begun": false}') $$,
  'the log says which steps had not begun'
);
select is(
  (
    select count(*)
      from tasker.get_task_history(tasker_test.the_task(), 100) as h
     where h.description ~ 'lost its worker .*: its handler had not begun$'
  ),
  2::bigint,
  'the history says which steps had not begun'
);

select tasker_test.pass('1 minute');
select results_eq(
  $$
  select x.lost_count
    from tasker.exchange_steps(tasker_test.worker(3), p_limit => 3, p_ahead => 3) as x
    join claimed as c
      on c.step_uuid = x.step_uuid
   order by c.n
  $$,
  $$ values (2), (1), (1) $$,
  'steps that were not claimed ahead count as lost'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
