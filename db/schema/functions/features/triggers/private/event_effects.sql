create or replace function tasker.event_effects(p_namespace text, p_name text, p_key text, p_payload jsonb)
  returns setof tasker.event_effects
  language plpgsql
  stable
as $$
begin
  return query
  select
    r.action, p.name, p.version,
    case
      when r.event_key <> p_key then 'other_key'
      when not tasker.condition_holds(tasker.stored_path(r.condition), p_payload) then 'other_payload'
      when r.action = 'start' then case when t.task_uuid is null then 'starts' else 'exists' end
      when not t.complete and not tasker.is_undone(t.undo) and t.named_task_uuid = r.named_task_uuid then 'cancels'
      else 'no_task'
    end,
    i.identity_key, t.task_uuid,
    case when r.action = 'start' then c.context end,
    null::text
  from tasker.event_triggers as r
  join tasker.creation_plans as p
    on p.named_task_uuid = r.named_task_uuid
  cross join lateral (
    select case when p.identity_strategy = 'caller_provided' then coalesce(
      tasker.child_value(to_jsonb(r.identity), p_payload, null) #>> '{}', case when r.identity is null then nullif(p_key, '') end
    ) end as identity_key
  ) as i
  cross join lateral (
    select case when r.action = 'start' then tasker.event_context(r.context, p_payload) end as context
  ) as c
  cross join lateral (
    select case
      when i.identity_key is not null then tasker.task_identity('caller_provided', p.namespace, p.name, null, null, i.identity_key)
      when p.identity_strategy = 'strict' and r.action = 'start' then tasker.task_identity('strict', p.namespace, p.name, p.version, c.context, null)
    end as hash
  ) as h
  left join lateral (
    select t.task_uuid, t.named_task_uuid, t.complete, t.undo
      from tasker.task_identities as d
      join tasker.tasks as t
        on t.task_uuid = d.task_uuid
     where d.identity_hash = h.hash
       and (d.expires_at is null or d.expires_at > tasker.clock())
  ) as t
    on true
  where r.namespace = p_namespace
    and r.event = p_name
    and (
      r.action = 'cancel'
      -- Only the newest version that is not retired starts tasks.
      or r.named_task_uuid = (
        select k.named_task_uuid
          from tasker.creation_plans as k
         where k.namespace = p.namespace
           and k.name = p.name
           and k.retired_at is null
         order by k.retired_at is not null, k.created_at desc, k.named_task_uuid desc
         limit 1
      )
    )
  -- This is the order of the locks: first the identities by their hashes, then the tasks by their UUIDs.
  order by r.action desc, case r.action when 'start' then h.hash end, case r.action when 'cancel' then t.task_uuid end, p.name, p.version, r.trigger_no;
end;
$$;

comment on function tasker.event_effects is
$$Returns the effects of an event on the tasks of each template that names the event. Rows for starts come before rows for cancellations. The newest version that is not retired starts tasks. Every version cancels its own tasks.$$;
