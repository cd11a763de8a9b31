create or replace function tasker.follow_moves(p_moves tasker.step_moves[], p_effects smallint)
  returns tasker.step_moves[]
  language plpgsql
as $$
begin
  -- 1, waits: one begins, and what it waits for may be there already. 32, maps: an instance has failed, and may be allowed to.
  if p_effects & 32 <> 0 then
    return tasker.tolerance_moves(p_moves);
  end if;
  return tasker.kept_signal_moves(p_moves);
end;
$$;

comment on function tasker.follow_moves is
$$Door: returns the moves that features let follow from these in the same call, of the same steps or of others of their
tasks. p_effects: their effects, 1 or 32. The callers ask where they look at a level of the graph anyway. Locks other
steps of these tasks without waiting.$$;
