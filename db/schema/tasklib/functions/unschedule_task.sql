create or replace function tasklib.unschedule_task(
  p_schedule  text,
  p_actor     text  default null,
  p_reason    text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text;
begin
  perform tasker.administer(p_actor, p_reason);
  delete from tasklib.schedules as s
   where s.schedule = p_schedule
  returning s.name into v_name;
  if not found then
    return false;
  end if;
  perform tasklib.log_action('unschedule', null, v_name, jsonb_build_object('schedule', p_schedule));
  return true;
end;
$$;

comment on function tasklib.unschedule_task is
$$Deletes a schedule. Returns true if the schedule existed. Keeps the tasks that the schedule submitted.

Idempotent. Locks the schedule.$$;

grant execute on function tasklib.unschedule_task to tasklib_submitter, tasklib_operator;
