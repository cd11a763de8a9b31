create or replace function tasker.effects_of_move(p_effects smallint, p_from_state tasker.step_state, p_to_state tasker.step_state)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  select p_effects & case when p_to_state = 'enqueued' or p_from_state = 'in_progress' then 4::smallint else 0::smallint end;
end;

comment on function tasker.effects_of_move is
$$Returns those of a step's effects that a move between two states has: limits are concerned by what begins to wait for a place or gives one back. A writer that gets 0 calls no door.$$;
