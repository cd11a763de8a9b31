begin;
select plan(16);

select tasker_test.freeze('2026-06-01 12:00Z');

create function pg_temp.ready(
  p_state text, p_processed boolean default false, p_in_process boolean default false, p_dependencies boolean default true,
  p_eligible boolean default true, p_retryable boolean default true, p_at timestamptz default null
)
  returns boolean
  language sql
as $$
  select tasker.evaluate_step_state_readiness(p_state, p_processed, p_in_process, p_dependencies, p_eligible, p_retryable, p_at);
$$;

select set_eq(
  $$ select s::text from unnest(enum_range(null::tasker.step_state)) as s where pg_temp.ready(s::text, p_at => tasker.clock()) $$,
  array['pending', 'waiting_for_retry'], 'two states can be ready'
);
select ok(not pg_temp.ready('pending', p_processed => true), 'a processed step is not ready');
select ok(not pg_temp.ready('pending', p_in_process => true), 'a step in process is not ready');
select ok(not pg_temp.ready('pending', p_dependencies => false), 'a step whose dependencies are not met is not ready');
select ok(not pg_temp.ready('pending', p_eligible => false), 'a step without an attempt left is not ready');
select ok(pg_temp.ready('pending', p_retryable => false), 'a first attempt is no retry');
select ok(not pg_temp.ready('waiting_for_retry', p_retryable => false, p_at => tasker.clock()), 'a second attempt of a step that is not retryable is not ready');
select ok(not pg_temp.ready('waiting_for_retry', p_at => tasker.clock() + interval '1 second'), 'a retry is not ready before its time');
select ok(pg_temp.ready('waiting_for_retry', p_at => tasker.clock()), 'a retry is ready at its time');
select ok(not pg_temp.ready('waiting_for_retry', p_at => 'infinity'), 'a retry with an infinite time is never ready');
select ok(not pg_temp.ready('waiting_for_retry'), 'a retry without a time is not ready');
select ok(not pg_temp.ready('pending', p_at => tasker.clock() + interval '1 second'), 'a pending step with a time ahead is not ready');
select ok(not pg_temp.ready('pending', p_dependencies => null), 'unknown dependencies count as not met');
select ok(not pg_temp.ready('pending', p_processed => null) and not pg_temp.ready('pending', p_in_process => null) and not pg_temp.ready('pending', p_eligible => null), 'other unknown facts count against readiness');
select throws_ok($$ select pg_temp.ready('ready') $$, 'TK422', '"ready" is not a state of a step', 'an unknown state is refused');
select throws_ok($$ select pg_temp.ready(null) $$, 'TK422', 'the state of a step is null', 'a null state is refused');

select * from finish();
rollback;
