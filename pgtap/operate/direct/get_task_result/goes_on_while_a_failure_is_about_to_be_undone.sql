begin;
select plan(8);

select tasker_test.freeze();
-- The state, and what the three readers return for blocked.
create function pg_temp.blocked() returns text language sql as $$
  select format('%s: %s %s %s', d.state, tasker.get_task_result(d.task_uuid, '{}') ->> 'blocked', d.blocked, l.blocked)
    from tasker.get_task(tasker_test.the_task()) as d
    join tasker.list_tasks() as l
   using (task_uuid);
$$;

select tasker_test.create_undoable('fails', '{"A!","B A"}', '{"on_failure": "fail"}');
select tasker_test.run('A');
select is(pg_temp.blocked(), 'steps_in_process: false f f', 'a task whose steps run is not blocked');
select tasker_test.claim('B');
select tasker_test.fail_for_good('B');
select is(pg_temp.blocked(), 'blocked_by_failures: false f f', 'a task that is about to be undone is not blocked');
select tasker_test.undo();
select is(pg_temp.blocked(), 'steps_in_process: false f f', 'a task that is undone is not blocked');
select tasker_test.claim('undo A');
select tasker_test.fail_for_good('undo A');
select is(pg_temp.blocked(), 'blocked_by_failures: true t t', 'a task whose compensation failed for good is blocked');
select tasker.retry_step(tasker_test.the_step('undo A'));
select is(pg_temp.blocked(), 'steps_in_process: false f f', 'a task whose compensation is retried is not blocked');
select tasker_test.run('undo A');
select tasker_test.undo();
select is(pg_temp.blocked(), 'error: false f f', 'a task that has ended is not blocked');

select tasker_test.create_undoable('none', '{A,"B A"}', '{"on_failure": "fail"}');
select tasker_test.run('A');
select tasker_test.claim('B');
select tasker_test.fail_for_good('B');
select is(pg_temp.blocked(), 'error: false f f', 'a task without compensations fails at once');

select tasker_test.create_undoable('waits', '{"A!","B A"}', '{"on_failure": "continue"}');
select tasker_test.run('A');
select tasker_test.claim('B');
select tasker_test.fail_for_good('B');
select is(pg_temp.blocked(), 'blocked_by_failures: true t t', 'a task that an operator has to decide about is blocked');

select * from finish();
rollback;
