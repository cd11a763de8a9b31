begin;
select plan(1);

select tasker_test.register_echo();

select tasker_test.echo(1), tasker_test.echo(2, 5), tasker_test.echo(3, -5), tasker_test.echo(4, 5), tasker_test.echo(5);
select results_eq(
  $$ select (c.kwargs ->> 'n')::integer from tasker_test.claim_echo(10) as c $$, array[2, 4, 1, 5, 3],
  'a claim takes the highest priority first, then the oldest task'
);

select * from finish();
rollback;
