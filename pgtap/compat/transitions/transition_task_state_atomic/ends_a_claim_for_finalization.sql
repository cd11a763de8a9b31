begin;
select plan(2);

select tasker_test.make_task_in('evaluating_results');
update tasker.tasks
   set finalization_claimed_at = now(),
       finalization_claimed_until = now() + interval '30 seconds',
       finalization_claimed_by = '00000000-0000-0000-0000-00000000000a'
 where task_uuid = tasker_test.the_task();

select tasker_test.move_task(tasker_test.the_task(), 'waiting_for_dependencies');
select is(
  (select t.finalization_claimed_by is null from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), true,
  'the claim for finalization ends with the state that it saw'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
