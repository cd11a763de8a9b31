begin;
select plan(2);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();

select tasklib.submit_tasks(
  'echo', array['{"n": 1}', '{"n": 2}']::jsonb[], array[null, 60], array[null, 9], array[null, 0], array[null, 7],
  array[null, '{"a": "b"}']::jsonb[]
);
select results_eq(
  $$ select t.ready, t.scheduled_at, t.priority, t.max_retries, t.timeout_seconds, t.tags from tasklib.tasks as t order by t.id $$,
  $$ values (true, '2026-03-01 12:00+00'::timestamptz, 0, 3, null::integer, null::jsonb),
            (false, '2026-03-01 12:01+00', 9, 0, 7, '{"a": "b"}') $$,
  'each task has its own values, and null is the default'
);
select is_empty($$ select tasklib.submit_tasks('echo', '{}') $$, 'an empty array is accepted');

select * from finish();
rollback;
