create or replace function tasklib.pause_task(
  p_name    text,
  p_actor   text  default null,
  p_reason  text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.administer(p_actor, p_reason);
  update tasklib.registered_tasks as r
     set paused_at = tasklib.clock(),
         paused_by = tasklib.caller_name()
   where r.name = p_name
     and r.paused_at is null;
  if found then
    perform tasklib.log_action('pause', null, p_name, '{}');
    return true;
  end if;

  if not exists (select from tasklib.registered_tasks as r where r.name = p_name) then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  return false;
end;
$$;

comment on function tasklib.pause_task is
$$Pauses a name: its tasks can no longer be claimed. Running tasks may finish. Returns true if this call paused the name, false if it was already paused.

Idempotent. Locks the name's row only. Raises TK404 if the name is not registered.$$;

grant execute on function tasklib.pause_task to tasklib_operator;
