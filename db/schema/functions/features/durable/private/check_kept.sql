create or replace function tasker.check_kept(
  p_task_uuid  uuid,
  p_step_no    integer,
  p_position   integer,
  p_name       text,
  p_bytes      bigint,
  p_settings   tasker.settings_now
)
  returns bigint
  language plpgsql
  stable
as $$
declare
  v_last  integer;
  v_bytes bigint;
begin
  select k.kept_no, k.bytes
    into v_last, v_bytes
    from tasker.kept_results as k
   where k.task_uuid = p_task_uuid
     and k.step_no = p_step_no
   order by k.kept_no desc
   limit 1;
  v_bytes := coalesce(v_bytes, 0) + p_bytes;
  if tasker.kept_fits(p_position, v_last, v_bytes, p_settings.kept_results, p_settings.kept_bytes) then
    return v_bytes;
  elsif p_position <> coalesce(v_last, 0) + 1 then
    raise exception using
      errcode = 'TK422',
      message = format(
        'position %s is not the next one of step %s', p_position, tasker.step_uuid(p_task_uuid, p_step_no)
      ),
      detail  = format('The function has kept %s results.', coalesce(v_last, 0)),
      hint    = 'Count the calls of the function from 1, beginning with those whose results are kept.';
  end if;
  raise exception using
    errcode = 'TK413',
    message = case
      when p_position > p_settings.kept_results then format(
        'step %s has kept %s results, and may keep no more', tasker.step_uuid(p_task_uuid, p_step_no), p_position - 1
      )
      else format(
        'with "%s" step %s would have kept %s bytes', p_name, tasker.step_uuid(p_task_uuid, p_step_no), v_bytes
      )
    end,
    detail  = format('The limits are %s results and %s bytes.', p_settings.kept_results, p_settings.kept_bytes),
    hint    = 'Let the function go on with a new state (tasker.continue_step, in Go worker.ContinueAs), which forgets what it has kept, or raise the settings "kept_results" and "kept_bytes".';
end;
$$;

comment on function tasker.check_kept is
$$Returns the total size of a function's kept results, in bytes, including a new result of p_bytes at p_position. Raises TK422 if the position is not the next position, TK413 if the kept results would exceed the settings "kept_results" or "kept_bytes". The caller holds the step's lock.$$;
