begin;
select plan(2);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo();

select tasker_test.echo(1, 9, 60), tasker_test.echo(2);
select results_eq($$ select (c.kwargs ->> 'n')::integer from tasker_test.claim_echo(5) as c $$, array[2], 'a claim takes only tasks that are due');
select tasker_test.echo(3);
select tasker_test.pass('1 minute');
select results_eq($$ select (c.kwargs ->> 'n')::integer from tasker_test.claim_echo(5) as c $$, array[1, 3], 'it takes the others when they are due, in order of priority');

select * from finish();
rollback;
