-- One step in each state, none with parents.
begin;
select plan(3);

select tasker_test.freeze(date_trunc('hour', now()));
select tasker.set_setting('backoff_jitter', '0');

select tasker_test.register('states', variadic enum_range(null::tasker.step_state)::text[]);
select tasker_test.make_task('states');
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.bring_step(tasker_test.the_step(s::text), s::text) from unnest(enum_range(null::tasker.step_state)) as s;

select results_eq(
  $$
  select r.name, r.current_state::text, r.ready_for_execution, r.blocking_reason
    from tasker.get_step_readiness_status(tasker_test.the_task()) as r
   order by r.name
  $$,
  $$
  values
    ('cancelled', 'cancelled', false, 'invalid_state'),
    ('complete', 'complete', false, 'invalid_state'),
    ('enqueued', 'enqueued', false, 'invalid_state'),
    ('enqueued_as_error_for_orchestration', 'enqueued_as_error_for_orchestration', false, 'invalid_state'),
    ('enqueued_for_orchestration', 'enqueued_for_orchestration', false, 'invalid_state'),
    ('error', 'error', false, 'retry_not_eligible'),
    ('in_progress', 'in_progress', false, 'invalid_state'),
    ('pending', 'pending', true, null),
    ('resolved_manually', 'resolved_manually', false, 'invalid_state'),
    ('suspended', 'suspended', false, 'invalid_state'),
    ('waiting_for_retry', 'waiting_for_retry', false, 'backoff_not_expired')
  $$,
  'only what is pending may'
);
select tasker_test.pass('1 hour');
select set_eq(
  $$ select r.name from tasker.get_step_readiness_status(tasker_test.the_task()) as r where r.ready_for_execution $$,
  array['pending', 'waiting_for_retry'],
  'and what waited for a retry, once the wait is over'
);
select is(
  (
    select count(*)
      from tasker.get_step_readiness_status(tasker_test.the_task()) as r
     where r.ready_for_execution is distinct from (r.blocking_reason is null)
  ),
  0::bigint, 'there is a reason exactly where it is not ready'
);

select * from finish();
rollback;
