-- a comes out well, b is cancelled, c has not settled.
begin;
select plan(4);

select tasker_test.register('joins', 'a', 'b', 'c',
  'all_a a', 'all_ab a b', 'any_ab a b', 'any_b b', 'settled_b b', 'any_ac a c', 'settled_ac a c', 'any_none', 'settled_none');
update tasker.named_tasks_named_steps set join_mode = split_part(step_name, '_', 1)
 where step_name ~ '^(any|settled)_';
select tasker_test.start_task('joins');
select tasker_test.complete_step(tasker_test.the_step('a'));
select tasker_test.move_step(tasker_test.the_step('b'), 'cancelled');

create function pg_temp.satisfied()
  returns text[]
  language sql
as $$
  select array_agg(r.name order by r.name) filter (where r.dependencies_satisfied)
    from tasker.get_step_readiness_status(tasker_test.the_task()) as r
   where r.name ~ '_';
$$;

select is(pg_temp.satisfied(), '{all_a,any_ab,any_none,settled_b,settled_none}', 'joins whose required parents succeeded are satisfied');
select results_eq(
  $$ select r.total_parents, r.completed_parents, r.blocking_reason from tasker.get_step_readiness_status(tasker_test.the_task()) as r where r.name = 'any_ac' $$,
  $$ values (2, 1, 'dependencies_not_satisfied') $$,
  'any waits for all to settle as well'
);
select tasker_test.fail_step(tasker_test.the_step('c'));
select tasker_test.move_step(tasker_test.the_step('c'), 'error');
select is(pg_temp.satisfied(), '{all_a,any_ab,any_none,settled_b,settled_none}', 'a failure satisfies no join');
select tasker_test.move_step(tasker_test.the_step('c'), 'resolved_manually');
select is(pg_temp.satisfied(), '{all_a,any_ab,any_ac,any_none,settled_ac,settled_b,settled_none}', 'a resolution by an operator satisfies joins');

select * from finish();
rollback;
