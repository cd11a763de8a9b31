begin;
select plan(3);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.pass('3 seconds');

select is(tasker_test.complete_echo(:'task', 1, '[1, 2]'), 'completed', 'a result completes the task');
select results_eq(
  format($$ select t.state::text, t.result, t.started_at, t.completed_at, t.locked_until, t.worker_id, t.expires_at from tasklib.tasks as t where t.id = %L $$, :'task'),
  $$ values ('completed', '{"value": [1, 2]}'::jsonb, '2026-03-01 12:00+00'::timestamptz, '2026-03-01 12:00:03+00'::timestamptz,
             null::timestamptz, null::text, null::timestamptz) $$, 'the row has the result and the time, and no worker'
);
select results_eq(
  format('select r.claim_no, r.name collate "default", r.worker_id, r.worker_role, r.started_at, r.ended_at, r.outcome from tasklib.task_runs as r where r.task_id = %L', :'task'),
  format($$ values (1, 'echo', 'w', %L, '2026-03-01 12:00+00'::timestamptz, '2026-03-01 12:00:03+00'::timestamptz, 'completed') $$, session_user),
  'the run is recorded'
);

select * from finish();
rollback;
