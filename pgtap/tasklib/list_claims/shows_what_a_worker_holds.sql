begin;
select plan(5);

select tasker_test.register_echo();
select tasker_test.register_echo(p_name => 'other');
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[4])), tasker_test.echo(p_name => 'other');
create temporary table c as select * from tasker_test.claim_echo(2);
select tasker_test.claim_echo(1, 'v'), tasker_test.claim_echo(1, 'w', 'other');
select tasker_test.complete_echo((select c.id from c order by c.id limit 1));

select results_eq(
  $$ select l.id, l.claim_no, l.locked_until from tasklib.list_claims(array['echo'], 'w') as l $$,
  $$ select c.id, c.claim_no, c.locked_until from c order by c.id desc limit 1 $$, 'list_claims returns the tasks of a name that the worker has claimed and not reported'
);
select is((select count(*) from tasklib.list_claims(array['echo', 'other'], 'w')), 2::bigint, 'it returns the claims of several names');
select throws_ok($$ select tasklib.list_claims(array['missing'], 'w') $$, 'TK404', 'no task is registered as "missing"', 'a name that is not registered is refused');
select throws_ok($$ select tasklib.list_claims(null, 'w') $$, 'TK422', 'claims cannot be listed with these arguments', 'a null list of names is refused');
select throws_ok($$ select tasklib.list_claims(array['echo'], null) $$, 'TK422', 'claims cannot be listed with these arguments', 'a null worker is refused');

select * from finish();
rollback;
