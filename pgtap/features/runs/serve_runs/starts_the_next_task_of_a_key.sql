begin;
select plan(22);

select tasker_test.register_runs('{"key": "$.key"}');
select tasker_test.job(1), tasker_test.job(2), tasker_test.job(3), tasker_test.job(4, 'other');
select is(tasker_test.jobs(), '1 steps_in_process, 2 pending, 3 pending, 4 steps_in_process', 'one task of each key runs, the others wait');
select is(tasker_test.lines(), '1 running, 2 waiting run, 3 waiting run, 4 running', 'in the order of creation');
select is((select count(*) from tasker.step_queue), 2::bigint, 'no step of a waiting task can be claimed');
select is((select count(*) from tasker.task_log as l where l.task_uuid = tasker_test.job_of(2)), 0::bigint, 'a waiting task has not started');
select tasker_test.finish_jobs();
select is(tasker_test.jobs(), '1 complete, 2 steps_in_process, 3 pending, 4 complete', 'the end of a task starts the next one');
select is((select count(*) from tasker.runs), 2::bigint, 'a task that has ended leaves no row');
select tasker_test.finish_jobs();
select tasker_test.finish_jobs();
select is(tasker_test.jobs(), '1 complete, 2 complete, 3 complete, 4 complete', 'one after the other');
select is_empty($$ select from tasker.runs $$, 'no row is left');
select is_empty($$ select from tasker.timers $$, 'and no timer');
select is_empty($$ select * from tasker.check_integrity() $$, 'check_integrity finds nothing');

-- A claim starts the next one itself.
select tasker_test.job(11), tasker_test.job(12);
select is((select count(*) from (select tasker.complete_steps(array[c.step_uuid], array[c.claim_no]) from tasker_test.claim() as c) as c), 1::bigint, 'one step');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'the claim after the end has the step of the next task');
select tasker.cancel_task(tasker_test.job_of(12), 'over');

-- Priorities.
select tasker.register_task_template('{"namespace": "test", "name": "job", "version": "2", "identity_strategy": "always_unique", "runs": {"key": "$.key", "max": 2, "order": "priority"}, "steps": [{"name": "a"}]}');
select tasker.fire_due_timers();
select tasker_test.job(21, 'p'), tasker_test.job(22, 'p'), tasker_test.job(23, 'p'), tasker_test.job(24, 'p', 10), tasker_test.job(25, 'p', 5);
select is(tasker_test.lines(), '21 running, 22 running, 24 waiting run, 25 waiting run, 23 waiting run', 'two at once, then the highest priority');
select tasker_test.finish_jobs();
select is(tasker_test.lines(), '24 running, 25 running, 23 waiting run', 'two places are free at once');

-- Starts.
select tasker_test.job(31, 's', p_start_at => '2026-11-22 13:00:00+00');
select is((select r.held_by from tasker.list_runs('test', 'job', 's') as r), 'start', 'a task with a start waits for it');
select tasker_test.job(32, 's'), tasker_test.job(33, 's');
select is((select string_agg(r.state, ' ') from tasker.list_runs('test', 'job', 's') as r), 'running running waiting', 'and takes no place before');
select tasker_test.freeze('2026-11-22 13:00:00+00');
select tasker.fire_due_timers();
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.job_of(31)), 'pending', 'at its start it gets in line');
select is((select r.held_by from tasker.list_runs('test', 'job', 's') as r where r.state = 'waiting'), 'run', 'behind those that run');
select tasker_test.finish_jobs();
select tasker_test.finish_jobs();
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.job_of(31)), 'complete', 'and has its turn');

-- Without a key all tasks of the template share one.
select tasker.register_task_template('{"namespace": "test", "name": "job", "version": "3", "identity_strategy": "always_unique", "runs": {}, "steps": [{"name": "a"}]}');
select tasker_test.job(41, 'x'), tasker_test.job(42, 'y');
select is(tasker_test.lines(), '41 running, 42 waiting run', 'without a key the template has one');
select tasker_test.freeze('2026-11-22 14:00:00+00');
select is(tasker.recover_runs(100), 0, 'nothing is to be recovered');
select is_empty($$ select * from tasker.check_integrity() $$, 'check_integrity finds nothing');

select * from finish();
rollback;
