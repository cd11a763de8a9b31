begin;
select plan(24);

select tasker_test.register_runs('{"key": "$.key", "further": "skip"}');
select tasker_test.job(1);
select results_eq(
  $$ select c.task_uuid, c.created from tasker.create_task('test', 'job', '{"n": 2, "key": "k"}') as c $$,
  $$ values (tasker_test.job_of(1), false) $$, 'the running task stands for a further one'
);
select is(tasker_test.jobs(), '1 steps_in_process', 'which is not created');
select results_eq(
  $$ select c.position, c.task_uuid = tasker_test.job_of(1), c.created
       from tasker.create_tasks('test', 'job', '{"{\"n\": 3, \"key\": \"k\"}","{\"n\": 4, \"key\": \"o\"}","{\"n\": 5, \"key\": \"o\"}","{\"n\": 6}"}') as c $$,
  $$ values (1, true, false), (2, false, true), (3, false, false), (4, false, true) $$, 'in a set the first of each key is created'
);
select is(tasker_test.jobs(), '1 steps_in_process, 4 steps_in_process, 6 steps_in_process', 'and the others are not');
select is(
  (select c.task_uuid from tasker.create_task('test', 'job', '{"n": 7, "key": "o"}') as c), tasker_test.job_of(4), 'each is answered with the task of its key'
);
select tasker_test.finish_jobs();
select ok((select c.created from tasker.create_task('test', 'job', '{"n": 8, "key": "k"}') as c), 'after its end a further one is created');
select is_empty($$ select * from tasker.check_integrity() $$, 'check_integrity finds nothing');

-- Identities.
select tasker.register_task_template('{"namespace": "test", "name": "keyed", "identity_strategy": "caller_provided", "runs": {"further": "skip"}, "steps": [{"name": "a"}]}');
select ok((select c.created from tasker.create_task('test', 'keyed', '{"n": 1}', p_identity_key => 'A') as c), 'the first one of an identity');
select is((select c.created from tasker.create_task('test', 'keyed', '{"n": 1}', p_identity_key => 'A') as c), false, 'its repeat is a repeat');
select is((select c.created from tasker.create_task('test', 'keyed', '{"n": 2}', p_identity_key => 'B') as c), false, 'another identity is skipped');
select is((select count(*) from tasker.task_identities as i), 1::bigint, 'and its identity is not taken');
select tasker_test.finish_jobs();
select ok((select c.created from tasker.create_task('test', 'keyed', '{"n": 2}', p_identity_key => 'B') as c), 'so it can be created later');
select is((select c.created from tasker.create_task('test', 'keyed', '{"n": 1}', p_identity_key => 'A') as c), false, 'a repeat of one that has ended finds it');

select tasker.register_task_template('{"namespace": "test", "name": "strict", "runs": {"key": "$.key", "max": 2, "further": "refuse"}, "steps": [{"name": "a"}]}');
select lives_ok($$ select tasker.create_tasks('test', 'strict', '{"{\"n\": 1, \"key\": \"k\"}","{\"n\": 1, \"key\": \"k\"}","{\"n\": 2, \"key\": \"k\"}"}') $$, 'equal requests of a call take one place');
select throws_ok(
  $$ select tasker.create_task('test', 'strict', '{"n": 3, "key": "k"}') $$, 'TK409', 'template "test/strict" refuses a further task of key "k"', 'a further one is refused'
);
select is((select c.created from tasker.create_task('test', 'strict', '{"n": 2, "key": "k"}') as c), false, 'a repeat is not');
select throws_ok(
  $$ select tasker.create_tasks('test', 'strict', '{"{\"n\": 4, \"key\": \"x\"}","{\"n\": 5, \"key\": \"k\"}"}') $$, 'TK409', 'template "test/strict" refuses a further task of key "k"', 'a set with one that is refused'
);
select is((select count(*) from tasker.list_tasks('test', 'strict')), 2::bigint, 'creates nothing');
select throws_ok(
  $$ select tasker.create_tasks('test', 'strict', array(select jsonb_build_object('key', n) from generate_series(1, 1001) as n)) $$, 'TK422', '1001 keys of runs in one call', 'each key is locked'
);

-- The task of a step cannot be another one.
select tasker.register_task_template('{"namespace": "test", "name": "parent", "identity_strategy": "always_unique", "steps": [{"name": "child", "task": {"name": "strict"}}]}');
select tasker.create_task('test', 'parent', '{"n": 7, "key": "k"}');
select tasker.fire_due_timers();
select is((select t.state::text from tasker.list_tasks('test', 'parent') as t), 'blocked_by_failures', 'a step whose task is refused fails');
select tasker_test.finish_jobs();
select tasker.retry_step(s.workflow_step_uuid, 'again') from tasker.workflow_steps as s where s.state = 'error';
select tasker.fire_due_timers();
select tasker_test.finish_jobs();
select is((select t.state::text from tasker.list_tasks('test', 'parent') as t), 'complete', 'and goes on when it is retried with a free place');

-- A reset does not overrun the bound.
select tasker_test.job(21, 'r');
select tasker_test.finish_jobs(true);
select tasker.give_up_task(tasker_test.job_of(21), 'no');
select ok((select c.created from tasker.create_task('test', 'job', '{"n": 22, "key": "r"}') as c), 'a failed task gives its place back');
select tasker.reset_task(tasker_test.job_of(21), 'again');
select is((select string_agg(concat_ws(' ', t.context ->> 'n', t.state), ', ' order by t.context ->> 'n') from tasker.tasks as t where t.context ->> 'key' = 'r'), '21 pending, 22 steps_in_process', 'its reset waits');
select is_empty($$ select * from tasker.check_integrity() $$, 'check_integrity finds nothing');

select * from finish();
rollback;
