create or replace function tasker.handed_kept(p_task_uuid uuid, p_step_no integer, p_round integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return tasker.gather_kept(p_task_uuid, p_step_no, p_round, p_bytes);
end;
$$;

comment on function tasker.handed_kept is
$$Door: returns the kept results that a claim hands out in addition to the inputs of a step, at most p_bytes bytes.$$;
