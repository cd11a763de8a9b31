create or replace function tasklib.resume_task(
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
     set paused_at = null,
         paused_by = null
   where r.name = p_name
     and r.paused_at is not null;
  if found then
    perform tasklib.log_action('resume', null, p_name, '{}');
    perform tasklib.notify_ready(p_name);
    return true;
  end if;

  if not exists (select from tasklib.registered_tasks as r where r.name = p_name) then
    perform tasklib.raise_name_not_found(p_name);
  end if;
  return false;
end;
$$;

comment on function tasklib.resume_task is
$$Resumes a paused name: its tasks can be claimed again. Returns true if this call resumed the name, false if it was not paused.

Idempotent. Locks the name's row only. Raises TK404 if the name is not registered.$$;

grant execute on function tasklib.resume_task to tasklib_operator;
