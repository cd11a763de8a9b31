create or replace function tasker.is_served(p_namespace text, p_named_step_uuid uuid)
  returns boolean
  language sql
  stable
begin atomic
  select coalesce(bool_or(w.handlers is null or k.name = any (w.handlers)), true)
    from tasker.workers as w
   cross join lateral (
     select k.name
       from tasker.named_steps as k
      where k.named_step_uuid = p_named_step_uuid
     offset 0
   ) as k
   where w.last_seen_at > tasker.clock() - interval '1 minute'
     and (w.namespaces = '{}' or p_namespace = any (w.namespaces));
end;

comment on function tasker.is_served is
$$Returns true if a worker of the namespace that was seen within the last minute has this handler, or if no worker was
seen. A worker that registered without handlers counts as having all handlers.$$;
