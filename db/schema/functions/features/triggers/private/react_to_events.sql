create or replace function tasker.react_to_events()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v record;
begin
  -- The first event of the statement is the turn of all. A statement inserts the events that templates name first.
  if new.event_uuid <> (select n.event_uuid from emitted as n where n.reacts limit 1) then
    return null;
  end if;
  -- All effects are read before the first effect. Identities are locked before tasks and in the order of their hashes,
  -- tasks in the order of their UUIDs.
  for v in
    select
      row(e.action, e.task_name, e.version, e.outcome, e.identity_key, e.task_uuid, e.context, e.problem)::tasker.event_effects as effect,
      b as event
    from emitted as n
    join tasker.broadcasts as b
      on b.event_uuid = n.event_uuid
    cross join lateral tasker.event_effects(b.namespace, b.name, b.key, b.payload)
      with ordinality as e (action, task_name, version, outcome, identity_key, task_uuid, context, problem, ord)
    where n.reacts
      and e.outcome in ('starts', 'cancels')
    order by
      e.action desc,
      case when e.action = 'start' then tasker.task_identity(
        case when e.identity_key is null then 'strict' else 'caller_provided' end, b.namespace, e.task_name, e.version, e.context, e.identity_key
      ) end,
      case when e.action = 'cancel' then e.task_uuid end,
      b.event_uuid,
      e.ord
  loop
    if (v.effect).action = 'cancel' then
      perform tasker.cancel_by_event((v.effect).task_uuid, v.event);
    else
      perform tasker.start_by_event(v.effect, v.event);
    end if;
  end loop;
  return null;
end;
$$;

comment on function tasker.react_to_events is
$$Trigger function of tasker.broadcasts: events that templates name start and cancel their tasks in the transaction that emits them. No event of a statement cancels a task that another event of it starts. Locks the identities of the tasks that start, by hash, then the tasks that are cancelled, in the order of their UUIDs. Raises the errors of cancel_task and create_task. After an error no event is emitted.$$;
