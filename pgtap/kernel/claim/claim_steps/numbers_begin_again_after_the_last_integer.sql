begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker.release_steps(array[tasker_test.the_step('top')], array[tasker_test.claim_no('top')]);
update tasker.step_queue set claim_no = 2147483646;
update tasker.workflow_steps set claim_no = 2147483646 where name = 'top';
select is((select c.claim_no from tasker_test.claim() as c), 2147483647, 'the last number');
select tasker.release_steps(array[tasker_test.the_step('top')], array[2147483647]);
-- The fixture numbers claims 1, 2, 3: here the numbers are those of the engine.
create or replace function tasker.next_claim_no(p_claim_no integer) returns integer language sql immutable
begin atomic
  select p_claim_no % 2147483647 + 1;
end;
select is((select c.claim_no from tasker_test.claim() as c), 1, 'the next claim has a first one');
select results_eq(
  $$ select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('top')], array[2147483647]) as a $$,
  $$ values ('stale') $$, 'the claim before it is stale'
);
select is(tasker_test.complete('top'), 'completed', 'the step completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
