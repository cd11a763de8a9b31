create or replace function tasker.find_taker(p_signal tasker.task_signals)
  returns integer
  language plpgsql
  stable
as $$
declare
  v_taker    integer;
  v_waits    integer;
  v_allowed  integer;
  v_fits     integer;
  v_assignee text;
  v_problem  text;
begin
  -- Steps that will wait later count, too. So a signal that none of these steps can take is refused at once, and its
  -- sender gets the error.
  select
    min(s.step_no) filter (
      where s.state = 'suspended' and tasker.takes_signal(s.await, p_signal.name, p_signal.payload, p_signal.sent_by)
    ),
    count(*),
    count(*) filter (where s.allowed),
    count(*) filter (where s.problem is null),
    min(s.await ->> 'assignee') filter (where not s.allowed),
    min(s.problem)
    into v_taker, v_waits, v_allowed, v_fits, v_assignee, v_problem
    from (
      select
        s.step_no, s.state, w.await,
        tasker.may_answer(w.await ->> 'assignee', p_signal.sent_by) as allowed,
        tasker.payload_problem(a.value -> 'schema', p_signal.payload, 'payload') as problem
        from tasker.workflow_steps as s
       cross join lateral (
         select case when s.state = 'suspended' then tasker.step_wait(s.await, s.wait, s.claim_no) else s.await end as await
       ) as w
       cross join lateral jsonb_array_elements(w.await -> 'any') as a (value)
       where s.task_uuid = p_signal.task_uuid
         and w.await is not null
         and s.state in ('pending', 'suspended')
         and a.value ->> 'signal' = p_signal.name
    ) as s;

  if v_waits > 0 and v_allowed = 0 then
    raise exception using
      errcode = 'TK403',
      message = format('signal "%s" is for %s to send', p_signal.name, v_assignee),
      detail  = format('The caller is "%s", which is not a member of that role.', p_signal.sent_by),
      hint    = format('Call as a member of "%s".', v_assignee);
  elsif v_waits > 0 and v_fits = 0 then
    raise exception using
      errcode = 'TK422',
      message = format('signal "%s": %s', p_signal.name, left(v_problem, 500)),
      hint    = 'tasker.list_waits() shows the schema of the payload that a step waits for.';
  end if;
  return v_taker;
end;
$$;

comment on function tasker.find_taker is
$$Returns the step that takes a signal: the waiting step with the lowest number, or null if no step takes it. If steps of the task wait or will wait for this signal, raises TK403 if the sender is the assignee of none of them, TK422 if the payload fits the schema of none of them. The cost is linear in the task's steps. The caller holds the task's lock.$$;
