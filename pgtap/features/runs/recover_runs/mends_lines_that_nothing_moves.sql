begin;
select plan(12);

select tasker_test.register_runs('{"key": "$.key", "sequence": true}');
select tasker_test.job(1), tasker_test.job(2), tasker_test.job(3, 'other');
-- The note of the first one's end is lost.
select tasker.cancel_task(tasker_test.job_of(1), 'over');
delete from tasker.timers as m where m.kind = 'serve_run';
select results_eq(
  $$ select p.object, p.problem from tasker.check_integrity() as p order by 2 $$,
  $$ values ('runs', 'lacks the note that starts the next task of a key'), ('runs', 'waits for a place of its key, of which some are free') $$,
  'check_integrity finds a line that nothing moves'
);
select tasker.fire_due_timers();
select is(tasker_test.lines(), '2 waiting run, 3 running', 'it stands');
select tasker.do_maintenance_duty('identities', null);
select tasker.fire_due_timers();
select is(tasker_test.lines(), '2 running, 3 running', 'maintenance moves it');
select tasker_test.finish_jobs();
select is_empty($$ select from tasker.runs $$, 'and what has ended is forgotten');

-- A failed task that is gone.
select tasker_test.job(4), tasker_test.job(5);
update tasker.runs as r set task_uuid = '00000000-0000-7000-8000-000000000000' where r.state = 'running';
select isnt_empty($$ select from tasker.check_integrity() as p where p.problem like 'has the run (running)%' $$, 'a place of a task that does not exist is found');
select is(tasker.recover_runs(100), 1, 'and forgotten');
select tasker.fire_due_timers();
select is((select t.state::text from tasker.tasks as t where t.task_uuid = tasker_test.job_of(5)), 'steps_in_process', 'so that the next one runs');
delete from tasker.runs;
select results_eq(
  $$ select distinct p.problem from tasker.check_integrity() as p $$, $$ values ('lacks the run of an open task') $$, 'an open task without a row is found'
);
select tasker.enter_runs(array[tasker_test.job_of(5)], tasker.clock());
delete from tasker.timers;
select isnt_empty($$ select from tasker.check_integrity() as p where p.problem = 'waits for a place of its key, and would start without one' $$, 'a waiting task without its timer is found');
update tasker.runs set state = 'running';
select tasker.cancel_task(tasker_test.job_of(5), 'over');
delete from tasker.runs;
select tasker.fire_due_timers();
select is_empty($$ select from tasker.timers $$, 'a note of a task without a row is deleted');
select is(tasker.recover_runs(100), 0, 'nothing is left to recover');
select is_empty($$ select from tasker.runs $$, 'no row is left');

select * from finish();
rollback;
