begin;
select plan(5);

select tasker_test.register_runs('{"key": "$.key", "max": 2}');
select tasker_test.job(1), tasker_test.job(2), tasker_test.job(3);
select tasker_test.register_runs('{"key": "$.key", "max": 1}', '{"version": "2"}');
select tasker_test.job(4);
select tasker.cancel_task(tasker_test.job_of(1), 'over');
select tasker.fire_due_timers();
select is(tasker_test.lines(), '2 running, 3 waiting run, 4 waiting run', 'the version of the newest waiting task allows one task');

select tasker.change_task(tasker_test.job_of(4), p_start_at => '2026-11-22 15:00:00+00');
select tasker.fire_due_timers();
select is(tasker_test.lines(), '2 running, 3 running, 4 waiting start', 'the newest task is no longer in line, and the older version allows two');

select tasker.cancel_task(tasker_test.job_of(2), 'over'), tasker.cancel_task(tasker_test.job_of(3), 'over');
select tasker.fire_due_timers();
select is(tasker_test.lines(), '4 waiting start', 'the task waits for its start');
select tasker_test.freeze('2026-11-22 15:00:00+00');
select tasker.fire_due_timers();
select is(tasker_test.lines(), '4 running', 'and starts then');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
