begin;
select plan(9);

select tasker_test.freeze(date_trunc('hour', now()));
select tasker_test.register('pair', 'a', 'b', 'c a');

create function pg_temp.reason(p_name text)
  returns text
  language sql
as $$
  select coalesce(r.blocking_reason, 'ready')
    from tasker.get_step_readiness_status(tasker_test.the_task(), array[tasker_test.the_step(p_name)]) as r;
$$;

select tasker_test.make_task('pair');
select is(pg_temp.reason('a'), 'ready', 'a task that has not started may start');
insert into tasker.timers (task_uuid, kind, due_at) values (tasker_test.the_task(), 'start_task', tasker.clock() + interval '1 minute');
select is(pg_temp.reason('a'), 'task_not_started', 'a task whose start lies ahead has not started');
select tasker_test.pass('1 minute');
select is(pg_temp.reason('a'), 'ready', 'the task may start when its start has come');

update tasker.task_namespaces set paused_at = now(), paused_by = 'me' where name = 'test';
select is(pg_temp.reason('a'), 'namespace_paused', 'a step of a paused namespace has namespace_paused');
select is(pg_temp.reason('c'), 'dependencies_not_satisfied', 'a reason of the step takes precedence over the namespace');
update tasker.task_namespaces set paused_at = null, paused_by = null where name = 'test';

select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.bring_step(tasker_test.the_step('a'), 'error');
select is(pg_temp.reason('b'), 'ready', 'a failure in another branch is no reason');
update tasker.named_tasks set on_failure = 'halt' where name = 'pair';
select is(pg_temp.reason('b'), 'task_halted', 'but with on_failure: halt');
select tasker_test.move_task(tasker_test.the_task(), 'error');
select is(pg_temp.reason('b'), 'task_ended', 'a task that has ended');
select is(pg_temp.reason('c'), 'task_ended', 'ends the waiting for parents too');

select * from finish();
rollback;
