begin;
select plan(4);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"timeout_seconds": 30}');

select s.id as task from tasklib.submit_task('echo', '{"n": 1}', p_priority => 5, p_tags => '{"team": "a"}') as s \gset
select results_eq(
  format($$
    select t.name collate "default", t.state::text, t.ready, t.priority, t.kwargs, t.tags, t.retry_count, t.max_retries, t.timeout_seconds, t.claim_no
      from tasklib.tasks as t where t.id = %L
  $$, :'task'),
  $$ values ('echo', 'pending', true, 5, '{"n": 1}'::jsonb, '{"team": "a"}'::jsonb, 0, 3, 30, 0) $$,
  'the row has what was submitted, with the options and settings as defaults'
);
select results_eq(
  format('select t.created_at, t.scheduled_at, t.submitted_by from tasklib.tasks as t where t.id = %L', :'task'),
  format($$ values ('2026-03-01 12:00+00'::timestamptz, '2026-03-01 12:00+00'::timestamptz, %L) $$, session_user),
  'the task is due at once and has the role of the submitter'
);
select is((tasker_test.tasklib_task(:'task')).result, null, 'the task has no result');
select is(
  (select s.created from tasklib.submit_task('echo') as s), true, 'the arguments are optional, and a new task is created'
);

select * from finish();
rollback;
