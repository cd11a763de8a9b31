create or replace function tasker.fail_lost_steps(p_moves tasker.step_moves[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  -- If another transaction has locked the task, it is tried again in a second.
  v_locked uuid[] := tasker.lock_tasks(array(select m.task_uuid from unnest(p_moves) as m));
begin
  if cardinality(v_locked) > 0 then
    perform tasker.apply_moves(
      array(select m from unnest(p_moves) as m where m.task_uuid = any (v_locked)), tasker.task_facts(v_locked), p_processor
    );
  end if;
end;
$$;

comment on function tasker.fail_lost_steps is
$$Fails steps for good that have lost too many workers, except in tasks that other transactions hold.$$;
