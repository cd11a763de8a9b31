begin;
select plan(3);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();

select s.id as task from tasklib.submit_task('echo', '{"n": 1}', p_tags => '{"a": 1}', p_timeout_seconds => 9) as s \gset
select results_eq(
  $$ select c.id, c.name, c.claim_no, c.retry_count, c.max_retries, c.timeout_seconds, c.kwargs, c.tags, c.started_at, c.locked_until
       from tasklib.claim_tasks(array['echo'], 'w', 1, 60) as c $$,
  format($$ values (%L::uuid, 'echo', 1, 0, 3, 9, '{"n": 1}'::jsonb, '{"a": 1}'::jsonb,
                    '2026-03-01 12:00+00'::timestamptz, '2026-03-01 12:01+00'::timestamptz) $$, :'task'),
  'a claim returns the task, its claim number and its lock'
);
select results_eq(
  format($$ select t.state::text, t.worker_id, t.ready from tasklib.tasks as t where t.id = %L $$, :'task'),
  $$ values ('running', 'w', false) $$, 'the task is running and names its worker'
);
select is_empty('select * from tasker_test.claim_echo()', 'a second claim does not get the task');

select * from finish();
rollback;
