begin;
select plan(11);

create function pg_temp.make_ended(p_state text)
  returns uuid
  language plpgsql
as $$
begin
  perform tasker_test.make_task_in('steps_in_process');
  if p_state = 'complete' then
    perform tasker_test.move_step(tasker_test.the_step(s.name), 'cancelled')
       from unnest(array['top', 'left', 'right', 'bottom']) as s (name);
    perform tasker_test.move_task(tasker_test.the_task(), 'evaluating_results', 'complete');
  elsif p_state = 'resolved_manually' then
    perform tasker_test.make_task_in('resolved_manually');
  else
    perform tasker_test.move_task(tasker_test.the_task(), p_state);
  end if;
  return tasker_test.the_task();
end;
$$;

create temporary table ended as
  select s.state, pg_temp.make_ended(s.state::text) as task
    from tasker.list_task_states() as s
   where s.terminal;

-- What could be done to its steps while it was open.
select throws_ok(
  format('select tasker.transition_step_state_atomic(%L, %L, %L)', s.workflow_step_uuid, s.state, m.to_state),
  'TK409', format('step %s cannot leave %s: its task is %s', s.workflow_step_uuid, s.state, e.state),
  format('%s to %s in a task that is %s', s.state, m.to_state, e.state)
)
  from ended as e
  join tasker.workflow_steps as s on s.task_uuid = e.task and s.name = 'top'
  join (select distinct from_state, to_state from tasker.list_step_transitions()) as m on m.from_state = s.state
 order by e.state, m.to_state;

select is_empty(
  'select v from ended as e cross join lateral tasker_test.violations(e.task) as v',
  'every invariant holds'
);

select * from finish();
rollback;
