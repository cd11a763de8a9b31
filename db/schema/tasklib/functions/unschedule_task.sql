create or replace function tasklib.unschedule_task(
  p_schedule text
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text;
begin
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
$$Deletes a schedule; returns true if there was one. Keeps the tasks that it submitted.

Idempotent. Locks the schedule.$$;

grant execute on function tasklib.unschedule_task to tasklib_submitter, tasklib_operator;
