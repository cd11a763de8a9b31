create or replace function tasker.register_namespace(
  p_name               text,
  p_description        text     default null,
  p_transport          text     default null,
  p_priority_modifier  numeric  default null,
  p_notify             text     default null,
  p_actor              text     default null,
  p_reason             text     default null
)
  returns setof tasker.task_namespaces
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_name]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('description', p_description, 4000);
  if p_name is null or p_name !~ '^[a-z][a-z0-9_]{0,28}$' then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not a valid namespace name', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'A name is a lower-case letter, then at most 28 letters, digits and underscores.';
  end if;
  if p_transport not in ('table', 'pgmq', 'broker')
     or p_priority_modifier not between -1000000 and 1000000
     or p_notify not in ('always', 'asleep', 'off', 'default') then
    raise exception using
      errcode = 'TK422',
      message = format('namespace "%s" cannot be registered with these values', p_name),
      detail  = format(
        'transport %s, priority modifier %s, notify %s',
        left(p_transport, 100), left(p_priority_modifier::text, 40), left(p_notify, 100)
      ),
      hint    = 'The transport is table, pgmq or broker, the modifier is from -1000000 to 1000000, notify is always, asleep, off or default.';
  end if;

  insert into tasker.task_namespaces (name)
  values (p_name)
  on conflict (name) do nothing;

  update tasker.task_namespaces as n
     set description       = coalesce(p_description, n.description),
         transport         = coalesce(p_transport, n.transport),
         priority_modifier = coalesce(p_priority_modifier, n.priority_modifier),
         notify            = case when p_notify is null then n.notify else nullif(p_notify, 'default') end,
         updated_at        = tasker.clock()
   where n.name = p_name
     and (
       n.description is distinct from coalesce(p_description, n.description)
       or n.transport <> coalesce(p_transport, n.transport)
       or n.priority_modifier <> coalesce(p_priority_modifier, n.priority_modifier)
       or n.notify is distinct from case when p_notify is null then n.notify else nullif(p_notify, 'default') end
     );

  -- Check after the change: its lock on the row prevents a binding at the same time.
  perform tasker.check_transport(p_name);
  if p_transport in ('table', 'pgmq') then
    perform tasker.unpublish_steps(p_name);
  end if;
  if p_transport = 'pgmq' then
    perform tasker.ensure_task_queue(tasker.step_queue_name(p_name, l.lane), p_actor, p_reason)
       from unnest('{high,normal,low}'::tasker.queue_lane[]) as l (lane);
  end if;

  return query
  select n.*
    from tasker.task_namespaces as n
   where n.name = p_name;
end;
$$;

comment on function tasker.register_namespace is
$$Creates a namespace if it does not exist, sets the given values, and returns it. Null leaves a value unchanged, or at its default. With transport pgmq, the function creates the namespace's three queues if they do not exist. With transport broker, tasker.publish_steps sends ready steps as messages of a broker. If the transport changes to table or pgmq, published steps return to the queue. p_notify says when NOTIFY announces the namespace's steps and tasks: always, asleep (only while a client sleeps), off, or default (the value of the setting notify).

Idempotent, even if many sessions register it at once. Locks the namespace's row and its rows of tasker.creation_plans if something changes, then queue rows of published steps. Raises TK422 for an invalid name or an unknown transport, TK403 if the caller is bound to other namespaces, TK409 for transport broker while a role is bound for the namespace's SQL steps.$$;

grant execute on function tasker.register_namespace
  to tasker_orchestrator, tasker_operator;
