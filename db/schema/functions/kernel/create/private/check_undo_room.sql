create or replace function tasker.check_undo_room(p_task_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps integer;
  v_undo  integer;
begin
  select count(*), count(*) filter (where s.compensate_uuid is not null and s.for_each is null)
    into v_steps, v_undo
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  if v_steps + v_undo > 65535 then
    raise exception using
      errcode = 'TK422',
      message = format('%s steps and %s compensations are more than the 65535 steps that a task may have', v_steps, v_undo),
      hint    = 'A step with a compensation counts twice: what it does and what undoes it.';
  end if;
end;
$$;

comment on function tasker.check_undo_room is
$$Raises TK422 if a task has so many steps that it has no room for all its compensations.$$;
