create or replace function tasker.takes_signal(p_await jsonb, p_name text, p_payload jsonb, p_sender text)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return tasker.may_answer(p_await ->> 'assignee', p_sender)
     and exists (
       select
         from jsonb_array_elements(p_await -> 'any') as a (value)
        where a.value ->> 'signal' = p_name
          and tasker.condition_holds(tasker.stored_path(a.value ->> 'when'), p_payload)
          and tasker.payload_problem(a.value -> 'schema', p_payload, 'payload') is null
     );
end;
$$;

comment on function tasker.takes_signal is
$$Returns true if the wait p_await is for this signal, the payload fits its condition and its schema, and the sender may answer. Both a signal that finds a wait and a wait that finds a kept signal use this rule.$$;
