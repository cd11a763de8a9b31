begin;
select plan(4);

select tasker_test.freeze();
create temporary table made as
  select s.state::text as state, tasker_test.make_task_in(s.state::text) as task
    from tasker.task_states as s
   where not s.terminal;

select is(
  (select count(*) from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10)), 6::bigint,
  'a claim advances all tasks and takes the ready steps'
);
select results_eq(
  $$ select m.state, t.state::text from made as m cross join lateral tasker.get_task(m.task) as t order by m.state $$,
  $$
  values
    ('blocked_by_failures',      'blocked_by_failures'),
    ('enqueuing_steps',          'steps_in_process'),
    ('evaluating_results',       'steps_in_process'),
    ('initializing',             'steps_in_process'),
    ('pending',                  'steps_in_process'),
    ('steps_in_process',         'steps_in_process'),
    ('waiting_for_dependencies', 'steps_in_process'),
    ('waiting_for_retry',        'waiting_for_retry')
  $$,
  'each task is in the state that its steps require'
);
select is(tasker_test.orchestrate(), '0 requests, 0 timers, 0 tasks, 0 lost, 0 results', 'an orchestrator has nothing left to do');
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
