begin;
select plan(6);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[6]));
create temporary table c as select *, row_number() over (order by id) as n from tasker_test.claim_echo(6);

select is((select tasker_test.fail_echo(c.id, 1, 'x', true) from c where n = 1), 'failed', 'a worker may fail the task for good');
select is((select tasker_test.fail_echo(c.id, 1, 'x', false, 60) from c where n = 2), 'retrying', 'a worker may set the delay of the retry');
select is((select t.next_retry_at from tasklib.tasks as t join c using (id) where n = 2), '2026-03-01 12:01+00'::timestamptz, 'the retry is due after that delay');
select tasker_test.fail_echo(c.id, 1, 'x', null, 0) from c where n = 3;
select is((select t.ready from tasklib.tasks as t join c using (id) where n = 3), true, 'a delay of 0 makes the task ready at once');
select tasker_test.fail_echo(c.id, 1, 'x', null, 'Infinity') from c where n = 4;
select is((select t.next_retry_at from tasklib.tasks as t join c using (id) where n = 4), '2026-03-01 12:00+00'::timestamptz + interval '365 days', 'a longer delay is limited to 365 days');
select tasker_test.fail_echo(c.id, 1, null, null, 'NaN') from c where n = 5;
select results_eq(
  'select t.next_retry_at, t.error from tasklib.tasks as t join c using (id) where n = 5',
  $$ values ('2026-03-01 12:00:05+00'::timestamptz, 'no error was given') $$, 'a delay that is not a number is ignored, and a null error gets a text'
);

select * from finish();
rollback;
