begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('10 minutes');
create or replace function tasker.server_started_at() returns timestamptz language sql stable as
  $$ select tasker.clock() - interval '59 seconds' $$;
select is_empty('select from tasker_test.claim()', 'the server has been up for less than a lease');
select is_empty($$ select from tasker.claim_step(tasker_test.the_step('top'), tasker_test.worker(2)) $$, 'by name neither');
select is((select l.answer from tasker.extend_leases(array[tasker_test.the_step('top')], '{1}', 1) as l), 'extended', 'its worker may still renew');
select tasker_test.pass('1 second');
create or replace function tasker.server_started_at() returns timestamptz language sql stable as
  $$ select tasker.clock() - interval '60 seconds' $$;
select results_eq('select c.claim_no from tasker_test.claim() as c', $$ values (2) $$, 'after that it is lost as ever');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
