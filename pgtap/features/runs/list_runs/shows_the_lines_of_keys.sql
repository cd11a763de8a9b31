begin;
select plan(8);

select tasker_test.register_runs('{"key": "$.key"}');
select tasker_test.job(1), tasker_test.job(2), tasker_test.job(3), tasker_test.job(4, 'b');
prepare lines (text, text, integer) as
  select r.run_key, r.state, r.held_by, r.place, r.task_state::text from tasker.list_runs('test', $1, $2, $3) as r;
select results_eq(
  $$ execute lines (null, null, null) $$,
  $$ values ('b', 'running', null, null::integer, 'steps_in_process'), ('k', 'running', null, null, 'steps_in_process'),
            ('k', 'waiting', 'run', 1, 'pending'), ('k', 'waiting', 'run', 2, 'pending') $$,
  'each key has its line: the task that runs, and the waiting ones with their places'
);
select is((select count(*) from tasker.list_runs('test', 'job', 'b')), 1::bigint, 'a key is named by its value');
select is((select count(*) from tasker.list_runs('test', p_limit => 2)), 2::bigint, 'the limit bounds the rows');
select is_empty($$ execute lines ('other', null, null) $$, 'another template has no line');
select throws_ok($$ execute lines (null, null, 0) $$, 'TK422', 'a limit of 0 is out of range', 'a limit of 0 is refused');
select throws_ok($$ execute lines (null, null, 10001) $$, 'TK422', 'a limit of 10001 is out of range', 'a large limit is refused');
select is_empty($$ select from tasker.list_runs('nowhere') $$, 'a namespace without tasks has no line');

select tasker_test.register_runs('{"key": "$.key"}', '{"version": "9"}');
select tasker_test.job(901, 'far'), tasker_test.job(902, 'far');
select results_eq(
  $$ select x.summary, x.due_at from tasker.explain_step(tasker_test.step(tasker_test.job_of(902), 'a')) as x $$,
  $$ values ('Its task waits for a place of its key: tasker.list_runs() shows the line.', null::timestamptz) $$,
  'explain_step says that a task waits in line, and names no time'
);

select * from finish();
rollback;
