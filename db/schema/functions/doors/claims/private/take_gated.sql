create or replace function tasker.take_gated(
  p_namespaces   text[],
  p_handlers     text[],
  p_step_uuid    uuid,
  p_limit        integer,
  p_until        timestamptz,
  p_worker_uuid  uuid,
  p_settings     tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_handlers text[] := p_handlers;
begin
  if p_step_uuid is not null then
    return tasker.take_limited_step(p_step_uuid, p_until, p_worker_uuid, p_settings);
  end if;
  if p_handlers is null and p_settings.handled_here <> '{}' then
    v_handlers := array(select l.handler from tasker.limit_handlers as l where l.named_step_uuid <> all (p_settings.handled_here));
  end if;
  return tasker.take_limited_rows(p_namespaces, v_handlers, p_limit, p_until, p_worker_uuid, p_settings);
end;
$$;

comment on function tasker.take_gated is
$$Door: a claim wants the step p_step_uuid, or steps that are not in the ordinary lanes, such as steps with a limit. Returns the queue rows that were taken.$$;
