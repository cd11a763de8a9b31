begin;
select plan(14);

select tasker_test.register_runs('{"key": "$.key", "further": "cancel_running"}');
select tasker_test.job(1), tasker_test.job(9, 'other');
select ok((select c.created from tasker.create_task('test', 'job', '{"n": 2, "key": "k"}') as c), 'a further task is created');
select is(tasker_test.jobs(), '1 cancelled, 2 steps_in_process, 9 steps_in_process', 'the running one is cancelled, and the new one runs in its place');
select is(
  (select l.reason from tasker.task_log as l where l.task_uuid = tasker_test.job_of(1) and l.reason is not null),
  'replaced by task ' || tasker_test.job_of(2), 'its history says by which task'
);
select tasker.create_tasks('test', 'job', '{"{\"n\": 3, \"key\": \"k\"}","{\"n\": 4, \"key\": \"k\"}"}');
select is(tasker_test.jobs(), '1 cancelled, 2 cancelled, 3 cancelled, 4 steps_in_process, 9 steps_in_process', 'of a set the last one stays');
select tasker_test.finish_jobs();
select is_empty($$ select from tasker.runs $$, 'nothing is left');
select is_empty($$ select * from tasker.check_integrity() $$, 'check_integrity finds nothing');

-- One that has something to undo keeps its place until that is done.
select tasker.register_task_template('{"namespace": "test", "name": "job", "version": "2", "identity_strategy": "always_unique", "runs": {"key": "$.key", "further": "cancel_running"}, "steps": [{"name": "a", "compensate": "unmake"}, {"name": "b", "dependencies": ["a"]}]}');
select tasker_test.job(11);
select tasker_test.finish_jobs();
select tasker_test.job(12);
select is(tasker_test.lines(), '11 running, 12 waiting run', 'a task that is undone keeps its place');
select tasker_test.finish_jobs();
select tasker_test.finish_jobs();
select is((select string_agg(concat_ws(' ', t.context ->> 'n', t.state), ', ' order by t.context ->> 'n') from tasker.tasks as t where (t.context ->> 'n')::integer > 10), '11 cancelled, 12 steps_in_process', 'then the new one starts');

select tasker.register_task_template('{"namespace": "test", "name": "job", "version": "3", "identity_strategy": "always_unique", "runs": {"key": "$.key", "further": "replace_waiting"}, "steps": [{"name": "a"}]}');
select tasker_test.job(21, 'w'), tasker_test.job(22, 'w');
select is((select string_agg(concat_ws(' ', t.context ->> 'n', t.state), ', ' order by t.context ->> 'n') from tasker.tasks as t where t.context ->> 'key' = 'w'), '21 steps_in_process, 22 pending', 'one runs, one waits');
select tasker_test.job(23, 'w');
select is((select string_agg(concat_ws(' ', t.context ->> 'n', t.state), ', ' order by t.context ->> 'n') from tasker.tasks as t where t.context ->> 'key' = 'w'), '21 steps_in_process, 22 cancelled, 23 pending', 'a further one replaces the waiting one');
select tasker_test.finish_jobs();
select is((select string_agg(concat_ws(' ', t.context ->> 'n', t.state), ', ' order by t.context ->> 'n') from tasker.tasks as t where t.context ->> 'key' = 'w'), '21 complete, 22 cancelled, 23 steps_in_process', 'which runs next');
select tasker_test.finish_jobs();
select tasker_test.finish_jobs();
select is_empty($$ select from tasker.runs as r where r.run_key = 'w' $$, 'nothing is left');
select tasker_test.finish_jobs();
select is_empty($$ select from tasker.timers $$, 'no timer either');
select is_empty($$ select * from tasker.check_integrity() $$, 'check_integrity finds nothing');

select * from finish();
rollback;
