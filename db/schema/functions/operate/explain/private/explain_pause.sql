create or replace function tasker.explain_pause(p_step tasker.step_explanations)
  returns text
  language sql
  stable
begin atomic
  select format(
      'It is in the queue, but %s has paused handler "%s" of namespace "%s"%s%s.', p.paused_by, p.handler, p.namespace,
      case when p.until is not null then format(', until %s', to_char(p.until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')) end,
      ': ' || rtrim(left(p.reason, 200), '.')
    )
    from tasker.handler_pauses as p
   where p.namespace = (p_step).namespace
     and p.handler = (p_step).handler;
end;

comment on function tasker.explain_pause is
$$Returns a sentence that says that an operator has paused the step's handler, or null if the handler is not paused.$$;
