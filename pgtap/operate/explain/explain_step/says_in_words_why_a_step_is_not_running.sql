begin;
select plan(15);

select tasker_test.freeze(date_trunc('hour', now()));
select tasker.set_setting('backoff_jitter', '0');

create function pg_temp.at(p_seconds integer)
  returns text
  language sql
as $$
  select to_char((date_trunc('hour', now()) + make_interval(secs => p_seconds)) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"');
$$;

create function pg_temp.why(p_name text)
  returns text
  language sql
as $$
  select e.summary from tasker.explain_step(tasker_test.the_step(p_name)) as e;
$$;

select tasker_test.make_task();
insert into tasker.timers (task_uuid, kind, due_at) values (tasker_test.the_task(), 'start_task', tasker.clock() + interval '1 hour');
select is(pg_temp.why('top'), 'Its task starts at ' || pg_temp.at(3600) || '.', 'a start ahead is explained');

select tasker_test.start_task();
select is(pg_temp.why('top'), 'It is in the queue of namespace "test" and waits for a worker that has handler "top".', 'a step in the queue is explained');
select is(pg_temp.why('bottom'), 'It waits for 2 of its parents, among them "left".', 'missing parents are explained');
update tasker.task_namespaces set paused_at = now(), paused_by = 'mary' where name = 'test';
select is(pg_temp.why('top'), 'It is in the queue, but mary has paused namespace "test".', 'a paused namespace is explained');
update tasker.task_namespaces set paused_at = null, paused_by = null where name = 'test';

select tasker.transition_step_state_atomic(tasker_test.the_step('top'), 'enqueued', 'in_progress', '01980000-0000-7000-8000-00000000beef');
select is(
  pg_temp.why('top'), 'Worker 01980000-0000-7000-8000-00000000beef has it; its lease ends at ' || pg_temp.at(60) || '.', 'a running step is explained'
);
select tasker_test.fail_step(tasker_test.the_step('top'), '{"error": "card declined."}');
select is(pg_temp.why('top'), 'Its result is recorded and waits for an orchestrator to process it.', 'a recorded result is explained');
select tasker_test.move_step(tasker_test.the_step('top'), 'waiting_for_retry');
select is(pg_temp.why('top'), 'Attempt 1 of 3 failed; the next one is due at ' || pg_temp.at(2) || '.', 'a retry ahead is explained');
select tasker_test.pass('2 seconds');
select is(pg_temp.why('top'), 'It is ready; the next evaluation of its task enqueues it.', 'a due retry is explained');
select tasker_test.move_step(tasker_test.the_step('top'), 'error');
select is(
  pg_temp.why('top'), 'It failed for good after 1 of 3 attempts: card declined. An operator may retry or resolve it.', 'a final failure is explained'
);
select is(pg_temp.why('left'), 'It waits for 1 of its parents, blocked by the failure of "top".', 'a child of a failed step is explained');
select is(pg_temp.why('bottom'), 'It waits for 2 of its parents, blocked by the failure of "top".', 'a grandchild of a failed step is explained');
select tasker_test.move_step(tasker_test.the_step('top'), 'resolved_manually');
select is(pg_temp.why('top'), 'It is done.', 'a complete step is explained');
select tasker_test.move_step(tasker_test.the_step('left'), 'cancelled');
select is(pg_temp.why('left'), 'It was cancelled, or skipped because its dependencies settled without satisfying its join.', 'a cancelled step is explained');
select tasker_test.complete_step(tasker_test.the_step('right'));
select is(pg_temp.why('bottom'), 'Its parents have settled, but 1 of them did not satisfy its join; it will be skipped.', 'a step that will be skipped is explained');
select tasker_test.move_task(tasker_test.the_task(), 'error');
select is(pg_temp.why('bottom'), 'Its task has ended: it is error.', 'a step of an ended task is explained');

select * from finish();
rollback;
