begin;
select plan(5);

select tasker_test.family();
select tasker_test.parent();
create function pg_temp.summary() returns text language sql as $$
  select replace(e.summary, coalesce((select s.child_task_uuid::text from tasker.workflow_steps as s where s.task_uuid = current_setting('tasker_test.parent')::uuid and s.name = 'kid'), 'none'), 'CHILD')
    from tasker.explain_step(tasker.step_uuid(current_setting('tasker_test.parent')::uuid, 1)) as e;
$$;
select is(pg_temp.summary(), 'It is about to start task "child": the next claim or orchestrator does.', 'the step says that its task is about to start');
select tasker.fire_due_timers();
select is(pg_temp.summary(), 'It waits for task CHILD ("child"), which is steps_in_process.', 'the step names the child that it waits for');
select tasker_test.child();
select tasker_test.claim('a');
select tasker_test.fail_for_good('a', true, 'no stock.');
select is(
  pg_temp.summary(),
  format('It waits for task CHILD ("child"), which is blocked_by_failures, because its step "a" failed: no stock. select tasker.retry_step(%L).', tasker.step_uuid(tasker_test.child(), 1)),
  'the step names the failed step of a blocked child, with the call that retries it'
);
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: blocked_by_failures error pending', 'a blocked child does not end its parent''s wait');
select tasker.retry_step(tasker.step_uuid(tasker_test.child(), 1));
select tasker_test.run('a', 'b');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'steps_in_process complete: complete complete complete', 'the named call continues child and parent');

select * from finish();
rollback;
