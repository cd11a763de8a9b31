begin;
select plan(4);

select tasker_test.register('choice', 'a', 'yes a', 'no a', 'plain a', 'after yes no');
update tasker.named_task_edges as e
   set condition = case s.step_name when 'yes' then '$.ok == true' else '$.ok == false' end::jsonpath
  from tasker.named_tasks_named_steps as s
 where s.named_task_uuid = e.named_task_uuid and s.step_no = e.to_step_no and s.step_name in ('yes', 'no');

create function pg_temp.satisfied()
  returns text[]
  language sql
as $$
  select array_agg(r.name order by r.name) from tasker.get_step_readiness_status(tasker_test.the_task()) as r
   where r.dependencies_satisfied and r.total_parents > 0;
$$;

select tasker_test.start_task('choice');
select tasker_test.complete_step(tasker_test.the_step('a'), '{"ok": true}');
select is(pg_temp.satisfied(), '{plain,yes}', 'a condition that is true is satisfied');

select tasker_test.start_task('choice');
select tasker_test.complete_step(tasker_test.the_step('a'), '{"ok": false}');
select is(pg_temp.satisfied(), '{no,plain}', 'a condition that is false is not satisfied');

select tasker_test.start_task('choice');
select tasker_test.complete_step(tasker_test.the_step('a'), '[[], "ok"]');
select is(pg_temp.satisfied(), '{plain}', 'conditions are not satisfied by results that do not fit them');

select tasker_test.start_task('choice');
select tasker_test.move_step(tasker_test.the_step('a'), 'resolved_manually');
select is(pg_temp.satisfied(), '{plain}', 'conditions are not satisfied without results');

select * from finish();
rollback;
