create or replace function tasker.step_channels(p_namespaces text[])
  returns text[]
  language sql
  immutable
begin atomic
  select coalesce(array_agg('tasker_steps_ready.' || u.name), '{}') from unnest(p_namespaces) as u (name);
end;

comment on function tasker.step_channels is
$$Returns the notification channels that wake the workers of these namespaces.$$;
