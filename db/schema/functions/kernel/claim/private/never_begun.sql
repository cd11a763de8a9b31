create or replace function tasker.never_begun(p_step_uuid uuid, p_claim_no integer, p_worker_uuid uuid)
  returns boolean
  language plpgsql
  stable
as $$
declare
  v_excused integer;
begin
  if not exists (
    select
      from tasker.workers as w
     where w.worker_uuid = p_worker_uuid
       and (
         p_step_uuid = any (w.waiting_steps)
         or array_position(w.request_steps, p_step_uuid) > w.request_begun
            and w.request_claim_nos[array_position(w.request_steps, p_step_uuid)] = p_claim_no
       )
  ) then
    return false;
  end if;

  -- The step may have begun since the worker's last report. So a step that stops its worker at once must not be tried
  -- forever.
  select count(*) filter (where l.event = 'LeaseExpired')
    into v_excused
    from (
      select
        u.event,
        bool_and(u.event in ('Start', 'Release') or tasker.was_waiting(u.event, l.metadata)) over (order by l.sort_key - u.after desc) as in_a_row
        from (
          select l.path, l.metadata, l.sort_key
            from tasker.step_log as l
           where l.task_uuid = tasker.task_uuid_of(p_step_uuid)
             and l.step_no = tasker.step_no_of(p_step_uuid)
           order by l.sort_key desc
           limit 100
        ) as l
        join tasker.step_log_paths as u
          on u.path = l.path
    ) as l
   where l.in_a_row;
  return v_excused < 3;
end;
$$;

comment on function tasker.never_begun is
$$Returns whether a lost step still waited for a handler when its worker last made an exchange. Returns false after three such losses in a row, because the step may have begun since then.$$;
