begin;
select plan(7);

select tasker_test.freeze(date_trunc('hour', now()));
select tasker_test.register('waits', 'a');
select tasker_test.start_task('waits');

create function pg_temp.backoff(p_attempts integer, p_request integer, p_base numeric, p_multiplier numeric, p_max integer)
  returns numeric
  language plpgsql
as $$
begin
  update tasker.workflow_steps as s
     set attempts = p_attempts, backoff_request_seconds = p_request, backoff_base_seconds = p_base,
         backoff_multiplier = p_multiplier, max_backoff_seconds = p_max
   where s.task_uuid = tasker_test.the_task();
  return (select r.effective_backoff_seconds from tasker.get_step_readiness_status(tasker_test.the_task()) as r);
end;
$$;

select is(pg_temp.backoff(0, null, null, null, null), 0::numeric, 'there is no backoff before the first attempt');
select is(pg_temp.backoff(1, null, null, null, null), 2::numeric, 'the settings apply after the first attempt');
select is(pg_temp.backoff(3, null, null, null, null), 8::numeric, 'the backoff grows with the attempts');
select is(pg_temp.backoff(2147483647, null, null, null, null), 60::numeric, 'the backoff is capped for any number of attempts');
select is(pg_temp.backoff(2, null, 0.5, 3, 100), 4.5::numeric, 'the step''s own policy takes precedence');
select is(pg_temp.backoff(9, null, 0.5, 3, 100), 100::numeric, 'the step''s own cap applies');
select is(pg_temp.backoff(9, 7, 0.5, 3, 100), 7::numeric, 'the worker''s request takes precedence');

select * from finish();
rollback;
