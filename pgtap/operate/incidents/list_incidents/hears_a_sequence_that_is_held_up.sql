begin;
select plan(6);

select tasker_test.register_runs('{"key": "$.key", "sequence": true}', '{"on_failure": "fail"}');
prepare held as select i.rule, i.severity, i.namespace, i.entries, i.what, i.figures ->> 'first_task' from tasker.list_incidents() as i where i.kind = 'sequence';
select tasker_test.job(1);
select tasker_test.finish_jobs(true);
select tasker_test.judge();
select is_empty('execute held', 'a failed task behind which no task waits holds up nothing');
select tasker_test.job(2), tasker_test.job(3);
select tasker_test.judge();
select results_eq(
  'execute held',
  format($$ values ('blocked', 'look_today', 'test', 1::bigint, 'A failed task of test/job holds up the sequence of key "k"', %L) $$, tasker_test.job_of(1)),
  'the task that holds up others is named'
);
select matches((select i.next_step from tasker.list_incidents() as i where i.kind = 'sequence'), 'or skip it', 'and the next step says how the sequence goes on');
select tasker_test.job(4, 'other'), tasker_test.job(5, 'other');
select tasker_test.finish_jobs(true);
select tasker_test.judge();
select is(
  (select i.what from tasker.list_incidents() as i where i.kind = 'sequence'), 'Failed tasks of test/job hold up 2 sequences', 'the keys of a template are one incident'
);
select tasker.skip_blocked_run(tasker_test.job_of(1), 'withdrawn'), tasker.skip_blocked_run(tasker_test.job_of(4), 'withdrawn');
select tasker.fire_due_timers();
select is(tasker_test.lines(), '2 running, 3 waiting run, 5 running', 'the next tasks run');
select tasker_test.judge();
select is_empty('execute held', 'which ends the incident');

select * from finish();
rollback;
