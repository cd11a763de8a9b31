-- Children of one task became ready together: claimed together, their task is locked and counted once.
begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.launch();
select tasker_test.launch();
select is(
  (select array_agg(a.answer::text) from (
     select tasker_test.claim(2) as c
   ) as x
   cross join lateral tasker.complete_steps(array[(x.c).step_uuid], array[(x.c).claim_no]) as a),
  '{completed,completed}', 'both first steps complete'
);
create temporary table taken as select c.task_uuid, c.name from tasker_test.claim(2) as c;
select set_eq('select name from taken', $$ values ('left'), ('right') $$, 'a claim gets one step of each handler');
select results_eq('select distinct count(*) over (partition by task_uuid) from taken', 'values (2::bigint)', 'both steps belong to one task');

select * from finish();
rollback;
