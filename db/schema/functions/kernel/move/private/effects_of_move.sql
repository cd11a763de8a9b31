create or replace function tasker.effects_of_move(p_effects smallint, p_from_state tasker.step_state, p_to_state tasker.step_state)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  -- The bits are: 1 (waits): a wait begins. 8 (waits): a wait ends. 4 (limits): a step begins to wait for a place or
  -- gives up its place. 256 (limits): the step needs several places, which a whole run may hold. 16 (functions): a wait
  -- of a function ends. 64 (functions): a failed function is tried again. 2048 (branches): a step begins. 512
  -- (patience): a step begins to wait for a worker. 8192 (sealing): a move has a result or an error. 16384 (pauses): a
  -- step would be handed out or start a task. 128 (attributes): a move may have a result.
  select p_effects & (
    case
      when p_to_state = 'enqueued' or p_from_state = 'in_progress' then 24964
      when p_to_state in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually') then 8576
      else 0
    end
    | case when p_to_state = 'enqueued' and p_from_state <> 'in_progress' then 512 else 0 end
    | case when p_to_state = 'suspended' then 16385 else 0 end
    | case when p_from_state = 'suspended' then 8 else 0 end
    | case when p_from_state = 'suspended' and p_to_state = 'enqueued' then 16 else 0 end
    | case when p_from_state = 'error' and p_to_state = 'pending' then 64 else 0 end
    | case when p_from_state = 'pending' and p_to_state in ('enqueued', 'suspended') then 2048 else 0 end
  )::smallint;
end;

comment on function tasker.effects_of_move is
$$Returns those effects of a step that a move between two states has. For example, the move has the effect of limits if the step begins to wait for a place or gives up its place. If the result is 0, the function that writes the move calls no door.$$;
