begin;
select plan(8);

select tasker_test.freeze();
create function pg_temp.args(p_event text) returns setof text language sql as $$
  select l.metadata::text
    from tasker.task_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.event = p_event
   order by l.sort_key;
$$;

select tasker_test.create_task();
select tasker_test.run('top', 'left');
select tasker_test.claim('right');
select tasker_test.fail_for_good('right', true, 'the bank is closed');
select results_eq(
  $$ select pg_temp.args('ReadyStepsFound') $$, $$ values ('{"count": 1}'), ('{"count": 2}') $$, 'ReadyStepsFound has the number of ready steps'
);
select results_eq(
  $$ select pg_temp.args('StepsEnqueued') $$,
  $$ values ('{"count": 1, "step_nos": [1]}'), ('{"count": 2, "step_nos": [2, 3]}') $$, 'StepsEnqueued has the enqueued steps'
);
select results_eq(
  $$ select pg_temp.args('StepCompleted') $$,
  $$ values ('{"count": 1, "step_nos": [1]}'), ('{"count": 1, "step_nos": [3]}') $$, 'StepCompleted has the completed steps'
);
select results_eq(
  $$ select pg_temp.args('PermanentFailure') $$, $$ values ('{"count": 1, "error": "the bank is closed"}') $$,
  'PermanentFailure has the number of failures and the error'
);

select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top', false);
select results_eq(
  $$ select pg_temp.args('StepFailed') $$, $$ values ('{"count": 1, "step_nos": [1]}') $$, 'StepFailed has the failed steps'
);

select tasker_test.create_task(p_deferred => true);
select count(*) from tasker.orchestrate(100, '00000000-0000-0000-0000-0000000000e1');
select is(
  (
    select array_agg(distinct l.processor_uuid)
      from tasker.task_transition_log as l
     where l.task_uuid = tasker_test.the_task()
  ),
  '{00000000-0000-0000-0000-0000000000e1}', 'a transition made by an orchestrator has its UUID'
);

select tasker_test.register('wide', variadic array(select 's' || n from generate_series(1, 150) as n));
select tasker_test.create_task('wide');
select results_eq(
  $$ select pg_temp.args('ReadyStepsFound') $$, $$ values ('{"count": 150}') $$, 'ReadyStepsFound counts 150 steps'
);
select is(
  (select jsonb_array_length(l.metadata -> 'step_nos') from tasker.task_transition_log as l where l.task_uuid = tasker_test.the_task() and l.event = 'StepsEnqueued'),
  100, 'StepsEnqueued names only a hundred steps'
);

select * from finish();
rollback;
