begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('join', 'a', 'b', 'c', 'end a b c');
select tasker_test.launch('join');
create temporary table claimed as select c.* from tasker_test.claim() as c;
select is(
  (select array_agg(distinct a.answer::text) from (select array_agg(c.step_uuid) as s, array_agg(c.claim_no) as n from claimed as c) as c cross join lateral tasker.complete_steps(c.s, c.n) as a),
  '{completed}'::text[], 'three results are accepted in one call'
);
select is(tasker_test.the_steps(), 'a complete, b complete, c complete, end enqueued', 'the join is counted down by three');
select results_eq(
  $$ select s.pending_parents, s.satisfied_parents from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('end') $$,
  $$ values (0, 3) $$, 'three parents are counted, not one'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
