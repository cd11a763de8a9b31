begin;
select plan(1);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();
select tasker_test.echo();

select is((select c.locked_until from tasker_test.claim_echo() as c), '2026-03-01 12:10+00'::timestamptz, 'a claim locks a task for ten minutes');

select * from finish();
rollback;
