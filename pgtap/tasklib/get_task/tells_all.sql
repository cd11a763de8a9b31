begin;
select plan(2);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select s.id as task from tasklib.submit_task('echo', '{"n": 1}', 60, 7, p_tags => '{"a": 1}', p_dedup_key => 'k') as s \gset
select results_eq(
  format('select t.id, t.name, t.state::text, t.priority, t.scheduled_at, t.kwargs, t.tags, t.dedup_key, t.retry_count, t.claim_no from tasklib.get_task(%L) as t', :'task'),
  format($$ values (%L::uuid, 'echo', 'pending', 7, '2026-03-01 12:01+00'::timestamptz, '{"n": 1}'::jsonb, '{"a": 1}'::jsonb, 'k', 0, 0) $$, :'task'),
  'get_task returns the columns of a task'
);
select throws_ok('select tasklib.get_task(null)', 'TK404', 'task  does not exist', 'a null task is refused');

select * from finish();
rollback;
