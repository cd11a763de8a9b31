begin;
select plan(9);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasklib.set_setting('audit_runs', 'true');
create temporary table claimed as select c.id, c.claim_no from tasker_test.claim_echo() as c;
select throws_ok(
  $$ select tasklib.release_tasks('w', array[c.id], array[c.claim_no], '{31536001}') from claimed as c $$,
  'TK422', 'a snooze of 31536001 seconds is out of bounds', 'a year is the longest'
);
select results_eq(
  $$ select r.outcome from claimed as c cross join lateral tasklib.release_tasks('w', array[c.id], array[c.claim_no], '{3600}', '{no paper}') as r $$,
  $$ values ('snoozed') $$, 'a running task is snoozed'
);
select results_eq(
  $$ select t.state::text, t.retry_count, t.scheduled_at > now() + interval '59 minutes', t.error from tasklib.tasks as t $$,
  $$ values ('pending', 0, true, null::text) $$, 'it is due in an hour, no retry is spent, and nothing has failed'
);
select results_eq(
  $$ select r.outcome, r.error from tasklib.task_runs as r $$, $$ values ('snoozed', 'no paper') $$, 'the record of the run has the reason'
);
select is_empty($$ select from tasker_test.claim_echo() $$, 'no worker gets it now');
select results_eq(
  $$ select r.outcome from claimed as c cross join lateral tasklib.release_tasks('w', array[c.id], array[c.claim_no], '{3600}', '{no paper}') as r $$,
  $$ values ('stale') $$, 'a repeat is stale'
);
update tasklib.tasks set scheduled_at = now();
drop table claimed;
create temporary table claimed as select c.id, c.claim_no from tasker_test.claim_echo() as c;
select is((select count(*) from claimed), 1::bigint, 'when the time has come, a worker gets it');
select throws_ok(
  $$ select tasklib.release_tasks('w', array[c.id], array[c.claim_no], '{1,2}') from claimed as c $$,
  'TK422', 'this is not a valid report about claimed tasks', 'each task has a time'
);
select results_eq(
  $$ select r.outcome from claimed as c cross join lateral tasklib.release_tasks('w', array[c.id], array[c.claim_no], array[null]::double precision[]) as r $$,
  $$ values ('released') $$, 'without a time it is handed back'
);

select * from finish();
rollback;
