begin;
select plan(16);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.register_runs('{"key": "$.key"}');
select tasker.register_task_template('{"namespace": "test", "name": "late", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select c.task_uuid as task from tasker.create_task('test', 'late', '{}', p_start_at => '2026-11-22 13:00:00+00', p_deadline => '2026-11-22 14:00:00+00') as c \gset
select ok(tasker.change_task(:'task', p_start_at => '2026-11-22 15:00:00+00', p_deadline => '2026-11-22 16:00:00+00'), 'start and deadline');
select results_eq(
  format('select m.kind::text, m.due_at from tasker.timers as m where m.task_uuid = %L order by m.due_at', :'task'),
  $$ values ('start_task', timestamptz '2026-11-22 15:00:00+00'), ('task_deadline', '2026-11-22 16:00:00+00') $$, 'its timers have the new times'
);
select is((select t.deadline from tasker.get_task(:'task') as t), '2026-11-22 16:00:00+00', 'the task shows its deadline');
select throws_ok(format($$ select tasker.change_task(%L, p_start_at => '2026-11-22 17:00:00+00') $$, :'task'), 'TK422', 'the deadline of a task is not after now and after its start', 'the start stays before the deadline');
select throws_ok(format($$ select tasker.change_task(%L, p_deadline => '2026-11-22 11:00:00+00') $$, :'task'), 'TK422', 'the deadline of a task is not after now and after its start', 'the deadline after now');
select ok(tasker.change_task(:'task', p_start_at => '2020-01-01 00:00:00+00'), 'a start that is past');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'starts the task at once');
select throws_ok(
  format($$ select tasker.change_task(%L, p_start_at => '2026-11-22 15:00:00+00') $$, :'task'), 'TK409', format('the start of task %s cannot be changed', :'task'), 'a task that has started has no start'
);
select ok(tasker.change_task(:'task', p_deadline => '2026-11-22 12:10:00+00'), 'but a deadline');
select tasker_test.freeze('2026-11-22 12:11:00+00');
select tasker.fire_due_timers();
select is((select t.state::text from tasker.get_task(:'task') as t), 'error', 'which ends it');
select c.task_uuid as deferred from tasker.create_task('test', 'late', '{}', p_deferred => true) as c \gset
select throws_ok(
  format($$ select tasker.change_task(%L, p_start_at => '2026-11-22 15:00:00+00') $$, :'deferred'), 'TK409', format('the start of task %s cannot be changed', :'deferred'), 'an orchestrator starts it'
);

-- In the line of its key.
select tasker_test.job(1), tasker_test.job(2), tasker_test.job(3, p_start_at => '2026-11-22 15:00:00+00');
select ok(tasker.change_task(tasker_test.job_of(2), p_start_at => '2026-11-22 15:00:00+00'), 'a task that waits for its place is put off');
select ok(tasker.change_task(tasker_test.job_of(3), p_start_at => '2026-11-22 12:20:00+00'), 'one that starts later gets in line earlier');
select tasker_test.freeze('2026-11-22 12:21:00+00');
select tasker_test.finish_jobs();
select is(tasker_test.jobs(), '1 complete, 2 pending, 3 steps_in_process', 'the line is in the order of the starts');
select is((select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.job_of(2) and m.kind = 'start_task'), '2200-01-01 00:00:00+00', 'only its key starts the task');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
