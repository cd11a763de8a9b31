create or replace function tasker.check_sealed_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
  stable
as $$
declare
  v_plain record;
begin
  -- The database composes the end of a wait. The payload of a signal was checked when it was sent.
  select m.task_uuid, m.step_no, case when m.error is null then 'result' else 'error' end as what
    into v_plain
    from unnest(p_moves) as m
   where m.effects & 8192 <> 0
     and m.from_state <> 'suspended'
     and case
       when m.error is not null then m.from_state = 'in_progress' and not tasker.is_sealed_error(m.error)
       else m.result is not null and m.result <> 'null' and not tasker.is_sealed(m.result)
     end
   limit 1;
  if found then
    perform tasker.refuse_plain(tasker.step_uuid(v_plain.task_uuid, v_plain.step_no), v_plain.what);
  end if;
end;
$$;

comment on function tasker.check_sealed_moves is
$$Raises TK422 if a result or an error of a step whose payloads are encrypted is in the clear. The transaction of the move rolls back.$$;
