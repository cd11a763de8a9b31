-- One task in each of the twelve states.
begin;
select plan(12);

create temporary table tasks as
  select s.state, tasker_test.make_task_in(s.state::text) as task
    from tasker.list_task_states() as s;

select is(tasker.get_current_task_state(t.task), t.state, 'it returns the state of a task that is ' || t.state)
  from tasks as t
 order by t.state;

select * from finish();
rollback;
