begin;
select plan(11);

select tasker_test.make_task_with_steps_in_every_state();

select is(tasker.get_current_step_state(tasker_test.the_step(s.state::text)), s.state, 'it returns the state of a step that is ' || s.state)
  from tasker.list_step_states() as s;

select * from finish();
rollback;
