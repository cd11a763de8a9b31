create or replace function tasker.check_identity_contexts(
  p_task_uuids  uuid[],
  p_owners      uuid[],
  p_contexts    jsonb[],
  p_keys        text[]
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_owner uuid;
  v_key   text;
begin
  if p_task_uuids = p_owners then
    return;
  end if;
  select u.owner, u.key
    into v_owner, v_key
    from unnest(p_task_uuids, p_owners, p_contexts, p_keys) as u (task_uuid, owner, context, key)
   cross join lateral (
     select t.context
       from tasker.tasks as t
      where t.task_uuid = u.owner
     offset 0
   ) as t
   where u.owner <> u.task_uuid
     and t.context <> u.context
     and not tasker.same_context(t.context, u.context)
   limit 1;
  if found then
    raise exception using
      errcode = 'TK409',
      message = format('identity key "%s" belongs to a task with another context', left(v_key, 100)),
      detail  = format('It belongs to task %s.', v_owner),
      hint    = 'A repeat has the same key and the same context. Use another key for another request.';
  end if;
end;
$$;

comment on function tasker.check_identity_contexts is
$$Raises TK409 if a caller's identity key belongs to a task that was created with another context: the caller would wait for work that is never done.$$;
