-- Each by its event, from a step that has come to where it is by direct calls. Afterwards the step is
-- where it was to go, the log says by which event, and every invariant holds.
begin;
select plan(46);

create function pg_temp.problem(p_from text, p_event text, p_to text)
  returns text
  language plpgsql
as $$
declare
  v_step uuid;
begin
  perform tasker_test.make_task_in('enqueuing_steps');
  v_step := tasker_test.the_step('top');
  perform tasker_test.bring_step(v_step, p_from);
  -- A retry is due after its wait, and a lease ends in time; skipped is what no parent satisfies.
  perform tasker_test.pass('1 hour');
  if p_event = 'Skip' and p_from = 'pending' then
    perform tasker_test.move_step(v_step, 'cancelled');
    v_step := tasker_test.the_step('left');
  end if;

  if not tasker.transition_step_state_atomic(v_step, p_from, p_to, null, jsonb_build_object('event', p_event)) then
    return 'the answer was false';
  end if;
  return (
    select string_agg(p.problem, '; ')
      from (
        select tasker_test.violations()
        union all
        select format('the log says %s, %s, %s', v.from_state, v.event, v.to_state)
          from tasker.workflow_step_transitions as v
         where v.workflow_step_uuid = v_step
           and v.most_recent
           and (v.from_state::text, v.event, v.to_state::text) <> (p_from, p_event, p_to)
      ) as p (problem)
  );
end;
$$;

select tasker_test.freeze();
select is(
  pg_temp.problem(m.from_state::text, m.event, m.to_state::text), null,
  format('%s by %s to %s', m.from_state, m.event, m.to_state)
)
  from tasker.list_step_transitions() as m
 -- No direct call makes what only a map or rerun_step does.
 where m.event not in ('Tolerate', 'Rerun')
   and (m.from_state <> 'pending' or m.event <> 'Complete');

select * from finish();
rollback;
