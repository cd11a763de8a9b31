create or replace function tasker.step_channels(p_namespaces text[])
  returns text[]
  language sql
  immutable
begin atomic
  select coalesce(array_agg('tasker_steps_ready.' || u.name), '{}') from unnest(p_namespaces) as u (name);
end;

comment on function tasker.step_channels(text[]) is
$$Returns the channels on which workers of these namespaces are woken.$$;

revoke all on function tasker.step_channels(text[]) from public;
