create or replace function tasker.find_handler(p_handler text)
  returns tasker.named_steps
  language plpgsql
  stable
as $$
declare
  v_handler tasker.named_steps;
  v_nearest text;
begin
  select h.* into v_handler from tasker.named_steps as h where h.name = p_handler;
  if not found then
    -- Handlers have no namespace, and a bound caller must not learn the names of handlers of other namespaces.
    if tasker.bound_namespaces() is null then
      v_nearest := tasker.nearest_name(left(coalesce(p_handler, ''), 240), array(select h.name from tasker.named_steps as h order by h.name limit 1000));
    end if;
    raise exception using
      errcode = 'TK404',
      message = format('no template has a handler "%s"', left(p_handler, 240)),
      hint    = coalesce(format('Did you mean "%s"?', v_nearest), 'tasker.list_task_templates() lists the templates, and each names its handlers.');
  end if;
  return v_handler;
end;
$$;

comment on function tasker.find_handler is
$$Returns the handler of this name. Raises TK404, with the most similar name, if no template has it.$$;
