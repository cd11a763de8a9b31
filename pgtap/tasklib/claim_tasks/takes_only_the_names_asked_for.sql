begin;
select plan(3);

select tasker_test.register_echo();
select tasker_test.register_echo(p_name => 'other');
select tasker_test.register_echo(p_name => 'third');

select tasker_test.echo(1), tasker_test.echo(2, 3, 0, 'other'), tasker_test.echo(3, 9, 0, 'third'), tasker_test.echo(4, 2);
select results_eq(
  $$ select (c.kwargs ->> 'n')::integer from tasklib.claim_tasks(array['echo', 'other'], 'w', 2) as c $$, array[2, 4],
  'a claim of two names takes the highest priority of both'
);
select results_eq(
  $$ select (c.kwargs ->> 'n')::integer from tasklib.claim_tasks(array['other', 'echo'], 'w', 5) as c $$, array[1],
  'the next claim takes the tasks that are left'
);
select is((select c.name from tasklib.claim_tasks(array['third'], 'w') as c), 'third', 'a name that was not requested stays for its worker');

select * from finish();
rollback;
