-- A child of each kind of join waits for the same three parents.
begin;
select plan(12);

select tasker_test.register('joins', 'a', 'b', 'c', 'all a b c', 'any a b c', 'settled a b c', 'root');
update tasker.named_tasks_named_steps set join_mode = step_name where step_name in ('any', 'settled');
update tasker.named_tasks_named_steps set join_mode = 'any' where step_name = 'root';
select tasker_test.start_task('joins');

prepare met as
  select s.name
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name in ('all', 'any', 'settled')
     and tasker.step_dependencies_met(s.workflow_step_uuid);

select is_empty('met', 'no join is met before its parents have settled');
select ok(tasker.step_dependencies_met(tasker_test.the_step('root')), 'a root is met, whichever join it has');

select tasker_test.complete_step(tasker_test.the_step('a'));
select tasker_test.complete_step(tasker_test.the_step('b'));
select is_empty('met', 'no join is met by two of three parents, not even "any"');

savepoint c_is_open;
select tasker_test.complete_step(tasker_test.the_step('c'));
select set_eq('met', array['all', 'any', 'settled'], 'every join is met by three successes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

rollback to c_is_open;
select tasker_test.move_step(tasker_test.the_step('c'), 'cancelled');
select set_eq('met', array['any', 'settled'], '"all" is not met if a parent was cancelled');
select is_empty('select tasker_test.violations()', 'every invariant holds');

rollback to c_is_open;
select tasker_test.fail_step(tasker_test.the_step('c'));
select tasker_test.move_step(tasker_test.the_step('c'), 'error');
select is_empty('met', 'no join is met while a parent has failed');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.start_task('joins');
select tasker_test.move_step(tasker_test.the_step(p.name), 'cancelled')
  from (values ('a'), ('b'), ('c')) as p (name);
select set_eq('met', array['settled'], 'only "settled" is met if all parents were cancelled');
select ok(not tasker.step_dependencies_met(tasker_test.the_step('any')), '"any" is not met without a success');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
