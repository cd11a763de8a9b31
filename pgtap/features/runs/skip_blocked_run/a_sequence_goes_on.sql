begin;
select plan(34);

select tasker_test.register_runs('{"key": "$.key", "sequence": true}', '{"on_failure": "fail"}');
select tasker_test.job(1), tasker_test.job(2), tasker_test.job(3);
select tasker_test.finish_jobs(true);
select is(tasker_test.jobs(), '1 error, 2 pending, 3 pending', 'a failed task holds up its sequence');
select is(tasker_test.lines(), '1 running blocked, 2 waiting blocked, 3 waiting blocked', 'and the line says so');
select tasker_test.finish_jobs();
select is((select tasker.recover_runs(100)), 0, 'maintenance forgets no task that is there');
select tasker.fire_due_timers();
select is(tasker_test.jobs(), '1 error, 2 pending, 3 pending', 'and starts none');

-- The ways on.
select ok(tasker.reset_task(tasker_test.job_of(1), 'mended'), 'a reset');
select tasker.fire_due_timers();
select is(tasker_test.jobs(), '1 steps_in_process, 2 pending, 3 pending', 'runs it again in its place');
select tasker_test.finish_jobs();
select is(tasker_test.jobs(), '1 complete, 2 steps_in_process, 3 pending', 'and then the next one');
select throws_ok(format($$ select tasker.skip_blocked_run(%L, 'why') $$, tasker_test.job_of(2)), 'TK409', format('task %s holds up no sequence', tasker_test.job_of(2)), 'one that runs is not skipped');
select throws_ok(format($$ select tasker.skip_blocked_run(%L, 'why') $$, tasker_test.job_of(3)), 'TK409', format('task %s holds up no sequence', tasker_test.job_of(3)), 'nor one that waits');
select tasker_test.finish_jobs(true);
select throws_ok(format($$ select tasker.skip_blocked_run(%L, ' ') $$, tasker_test.job_of(2)), 'TK422', 'the reason is missing', 'skipping needs a reason');
select ok(tasker.skip_blocked_run(tasker_test.job_of(2), 'the order was withdrawn', 'ann'), 'a failed task is skipped');
select ok(not tasker.skip_blocked_run(tasker_test.job_of(2), 'again'), 'once');
select tasker.fire_due_timers();
select is(tasker_test.jobs(), '1 complete, 2 error, 3 steps_in_process', 'the next one runs');
select results_eq(
  $$ select l.action, l.call, l.actor, l.reason, l.object, l.was ->> 'state' from tasker.administration_log as l where l.kind = 'runs' $$,
  $$ values ('update', 'skip_blocked_run', 'ann', 'the order was withdrawn', 'test/job/' || tasker_test.job_of(2), 'error') $$, 'the log of administration has it'
);
select tasker.reset_task(tasker_test.job_of(2), 'again');
select is(tasker_test.lines(), '3 running, 2 waiting run', 'a reset of the skipped one gets in line');
select ok(tasker.cancel_task(tasker_test.job_of(3), 'over'), 'a cancelled task');
select tasker.fire_due_timers();
select is(tasker_test.jobs(), '1 complete, 2 steps_in_process, 3 cancelled', 'gives its place back');

-- A blocked one.
select tasker.register_task_template('{"namespace": "test", "name": "job", "version": "2", "identity_strategy": "always_unique", "runs": {"key": "$.key", "sequence": true}, "steps": [{"name": "a", "retry": {"max_attempts": 1}}]}');
select tasker_test.job(11, 'b'), tasker_test.job(12, 'b'), tasker_test.job(13, 'b'), tasker_test.job(14, 'b');
select tasker_test.finish_jobs(true);
select is((select string_agg(r.held_by, ' ') from tasker.list_runs('test', 'job', 'b') as r), 'blocked blocked blocked blocked', 'a blocked task holds up the sequence');
select ok(tasker.skip_blocked_run(tasker_test.job_of(11), 'no'), 'it is given up and skipped');
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.job_of(11)), 'error', 'so it cannot run beside the next one');
select tasker.fire_due_timers();
select tasker_test.finish_jobs(true);
select ok(tasker.resolve_task_manually(tasker_test.job_of(12), 'by hand'), 'one that is resolved by hand');
select tasker.fire_due_timers();
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.job_of(13)), 'steps_in_process', 'lets the next one run');
-- Retries are no gap.
select tasker_test.finish_jobs(true);
select ok(tasker.give_up_task(tasker_test.job_of(13), 'no'), 'one that is given up');
select tasker.fire_due_timers();
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.job_of(14)), 'pending', 'still holds it up');
-- Retention waits for it, and an erased one holds nothing up.
select is((select count(*) from tasker.partition_ranges as p cross join lateral tasker.partition_hold(p) as h where h.reason like '%note%'), 1::bigint, 'retention keeps the task');
select lives_ok(format($$ select tasker.erase_task(%L, 'asked') $$, tasker_test.job_of(13)), 'it is erased');
select tasker.fire_due_timers();
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.job_of(14)), 'steps_in_process', 'and lets the next one run, since it cannot be reset');
select is_empty($$ select from tasker.runs as r where r.task_uuid = tasker_test.job_of(13) $$, 'nothing of it is left');
select tasker_test.job_of(2) as second \gset
select tasker.fire_due_timers();
select tasker.cancel_task(:'second');
select tasker.fire_due_timers();
select tasker.erase_task(:'second', 'asked');
select results_eq(format('select l.reason from tasker.administration_log as l where l.kind = %L and l.object like %L', 'runs', '%' || :'second'), $$ values ('erased'::text) $$, 'an erasure takes the reason of a skipped run, too');

-- A deadline that passes in line.
select c.task_uuid from tasker.create_task('test', 'job', '{"n": 15, "key": "b"}', p_deadline => '2026-11-22 12:30:00+00') as c;
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.job_of(15)), 'pending', 'a task with a deadline waits');
select tasker_test.freeze('2026-11-22 12:31:00+00');
select tasker.fire_due_timers();
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.job_of(15)), 'error', 'and fails in line when it passes');
select is((select count(*) from tasker.list_runs('test', 'job', 'b')), 1::bigint, 'without holding up the others');
select throws_ok($$ select tasker.skip_blocked_run('00000000-0000-0000-0000-000000000000', 'x') $$, 'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'no such task');
select is_empty($$ select * from tasker.check_integrity() $$, 'check_integrity finds nothing');

select * from finish();
rollback;
