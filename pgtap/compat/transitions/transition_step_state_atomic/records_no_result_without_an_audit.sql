-- Results are recorded by a worker or entered by hand. Whatever other transition brings some along either
-- is refused, or keeps them out of the step.
begin;
select plan(58);

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
  perform tasker_test.pass('1 hour');
  begin
    perform tasker.transition_step_state_atomic(
      v_step, p_from, p_to, null, jsonb_build_object('event', p_event, 'results', '{"smuggled": true}'::jsonb)
    );
  exception when sqlstate 'TK409' or sqlstate 'TK422' then
    return null;
  end;
  return (
    select format('%s and %s audit rows', s.results, count(a.sort_key))
      from tasker.workflow_steps as s
      left join tasker.workflow_step_result_audit as a
        on a.task_uuid = s.task_uuid
       and a.step_no = s.step_no
       and a.sort_key = s.transition_count
     where s.workflow_step_uuid = v_step
       and s.results = '{"smuggled": true}'
     group by s.results
    having count(a.sort_key) <> 1
  );
end;
$$;

select tasker_test.freeze();
select is(
  pg_temp.problem(m.from_state::text, m.event, m.to_state::text), null,
  format('%s by %s to %s', m.from_state, m.event, m.to_state)
)
  from tasker.list_step_transitions() as m;

select * from finish();
rollback;
