create or replace function tasker.accept_task_uuids(p_task_uuids uuid[], p_minted uuid[])
  returns uuid[]
  language plpgsql
as $$
begin
  -- A repeat may come long after the time in its UUID, so the UUID of an existing task is not checked again.
  return (
    select array_agg(
        case
          when u.task_uuid is null then p_minted[u.ord]
          when exists (select from tasker.tasks as t where t.task_uuid = u.task_uuid) then u.task_uuid
          else tasker.check_task_uuid(u.task_uuid)
        end
        order by u.ord
      )
      from unnest(p_task_uuids) with ordinality as u (task_uuid, ord)
  );
end;
$$;

comment on function tasker.accept_task_uuids is
$$Returns UUIDs for requested tasks: the UUID that the caller chose, or a new UUID if the caller chose none. Raises TK422 and TK507 as check_task_uuid does.$$;
