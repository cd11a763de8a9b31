begin;
select plan(7);

select tasker_test.freeze(date_trunc('hour', now()));
select tasker_test.register('tries', 'fresh', 'used_up', 'only_once', 'some_left', 'failed_for_good');
select tasker_test.start_task('tries');
select tasker_test.bring_step(tasker_test.the_step('some_left'), 'pending');
-- As a failure in the past left them.
update tasker.workflow_steps as s
   set attempts = case s.name when 'fresh' then 0 when 'some_left' then 2 else 3 end,
       retryable = s.name <> 'only_once',
       state = case s.name when 'failed_for_good' then 'error' else 'pending' end::tasker.step_state
 where s.task_uuid = tasker_test.the_task();

create function pg_temp.status(p_name text)
  returns text
  language sql
as $$
  select format('%s %s %s/%s', r.retry_eligible, coalesce(r.blocking_reason, 'ready'), r.attempts, r.retry_limit)
    from tasker.get_step_readiness_status(tasker_test.the_task(), array[tasker_test.the_step(p_name)]) as r;
$$;

select is(pg_temp.status('fresh'), 't ready 0/3', 'a step that was never tried has all attempts');
select is(pg_temp.status('some_left'), 't ready 2/3', 'a step with an attempt left is ready');
select is(pg_temp.status('used_up'), 'f retry_not_eligible 3/3', 'a step without attempts is not ready');
select is(pg_temp.status('failed_for_good'), 'f retry_not_eligible 3/3', 'a failed step without attempts is not ready');
update tasker.workflow_steps as s set attempts = 1 where s.task_uuid = tasker_test.the_task();
select is(pg_temp.status('only_once'), 'f retry_not_eligible 1/3', 'a step that is not retryable has one attempt');
select is(pg_temp.status('failed_for_good'), 'f retry_not_eligible 1/3', 'a permanent failure is not retried, although attempts are left');
update tasker.workflow_steps as s set attempts = 0 where s.task_uuid = tasker_test.the_task();
select is(pg_temp.status('only_once'), 't ready 0/3', 'a step that is not retryable may use its one attempt');

select * from finish();
rollback;
