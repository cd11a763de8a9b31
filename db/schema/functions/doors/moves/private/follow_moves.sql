create or replace function tasker.follow_moves(p_moves tasker.step_moves[], p_effects smallint)
  returns tasker.step_moves[]
  language plpgsql
as $$
begin
  -- The effects are: 1 (waits): a wait begins, and its signal or event may be there already. 32 (maps and branches): a
  -- step has failed, and its failure may be allowed, or another step waits for the failure. Each step has at most one
  -- of these moves, because tolerance_moves moves only instances of maps, and failure_moves only other steps.
  if p_effects & 32 <> 0 then
    return array(
      select m
        from unnest(tasker.tolerance_moves(p_moves) || tasker.failure_moves(p_moves)) as m
       order by m.task_uuid, m.step_no
    );
  end if;
  return tasker.kept_signal_moves(p_moves);
end;
$$;

comment on function tasker.follow_moves is
$$Door: returns the moves that features derive from these moves in the same call, for the same steps or other steps of
their tasks. p_effects are the effects of the moves, 1 or 32. Callers call this door while they process a level of the
graph. Locks other steps of these tasks without waiting.$$;
