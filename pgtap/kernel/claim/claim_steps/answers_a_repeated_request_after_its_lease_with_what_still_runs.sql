begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker_test.launch('wide');
\set request '''00000000-0000-4000-8000-0000000000f1'''
select from tasker.claim_steps('{test}', tasker_test.worker(), 2, 30, null, :request);
select tasker.extend_leases(array[tasker_test.the_step('a')], '{1}', 300);
select tasker_test.pass('2 minutes');
select results_eq('select c.name, c.claim_no from tasker_test.claim(10, 2) as c', $$ values ('b', 2) $$, 'another worker has the step that was lost');
select results_eq(
  format('select c.name, c.claim_no from tasker.claim_steps(null, tasker_test.worker(), 2, null, null, %L) as c', :request),
  $$ values ('a', 1) $$, 'the repeated request gets the step that still runs'
);

select * from finish();
rollback;
