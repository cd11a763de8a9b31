-- A chain whose first edge is not satisfied: each step is skipped in turn, and settles the next.
begin;
select plan(4);

select tasker_test.register('chain', 'a', 'b a', 'c b', 'd c');
select tasker_test.start_task('chain');
select tasker_test.move_step(tasker_test.the_step('a'), 'cancelled');

create function pg_temp.skip(p_name text)
  returns boolean
  language sql
as $$
  select not tasker.step_dependencies_met(tasker_test.the_step(p_name))
     and tasker.transition_step_state_atomic(tasker_test.the_step(p_name), 'pending', 'cancelled', null, '{"event": "Skip"}');
$$;

select ok(pg_temp.skip('b'), 'the child of a cancelled step is skipped');
select ok(pg_temp.skip('c'), 'the child of a skipped step is skipped');
select ok(pg_temp.skip('d'), 'its own child is skipped, too');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
