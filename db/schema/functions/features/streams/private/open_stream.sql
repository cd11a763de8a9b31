create or replace function tasker.open_stream(p_step_uuid uuid, p_claim_no integer, p_name text, p_is_value boolean)
  returns tasker.step_streams
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task uuid    := tasker.task_uuid_of(p_step_uuid);
  v_no   integer := tasker.step_no_of(p_step_uuid);
  v_head tasker.step_streams;
begin
  if (select count(*) from tasker.step_streams as h where h.task_uuid = v_task and h.step_no = v_no and h.name <> p_name) >= 16 then
    raise exception using
      errcode = 'TK413',
      message = format('step %s has 16 values and streams, and may have no more', p_step_uuid),
      hint    = 'Use fewer names: items and values may be objects with many members.';
  end if;
  insert into tasker.step_streams (
    task_uuid, step_no, name, value, first_no, last_no, bytes, claim_no, batch_no, attempt, changed_at
  )
  values (
    v_task, v_no, p_name, case when p_is_value then 'null'::jsonb end, 1, 0, 0, p_claim_no, 0, 0, tasker.write_clock()
  )
  on conflict do nothing;
  select h.*
    into v_head
    from tasker.step_streams as h
   where h.task_uuid = v_task
     and h.step_no = v_no
     and h.name = p_name
     for no key update;
  if (v_head.value is not null) <> p_is_value then
    raise exception using
      errcode = 'TK409',
      message = format('"%s" of step %s is a %s', p_name, p_step_uuid, case when p_is_value then 'stream' else 'value' end),
      hint    = 'Give values and streams different names.';
  end if;
  return v_head;
end;
$$;

comment on function tasker.open_stream is
$$Creates the row of a value or a stream if the step has no row of this name, locks the row and returns it. Raises TK409 if the name belongs to a stream instead of a value, or the reverse, TK413 if the step has 16 other values and streams. The caller holds the step's lock.$$;
