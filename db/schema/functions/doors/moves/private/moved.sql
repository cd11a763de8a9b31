create or replace function tasker.moved(p_moves tasker.step_moves[], p_effects smallint)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  if p_effects & 1 <> 0 then
    v_ok := tasker.begin_waits(p_moves);
  end if;
  if p_effects & 8 <> 0 then
    v_ok := tasker.end_waits(p_moves);
  end if;
  if p_effects & 4 <> 0 then
    v_ok := tasker.limit_moves(p_moves);
  end if;
  if p_effects & 256 <> 0 then
    v_ok := tasker.limit_place_moves(p_moves);
  end if;
  if p_effects & 16384 <> 0 then
    v_ok := tasker.hold_moves(p_moves);
  end if;
  if p_effects & 16 <> 0 then
    v_ok := tasker.keep_wait_values(p_moves);
  end if;
  if p_effects & 64 <> 0 then
    v_ok := tasker.forget_last_errors(p_moves);
  end if;
  if p_effects & 8192 <> 0 then
    v_ok := tasker.check_sealed_moves(p_moves);
  end if;
  if p_effects & 512 <> 0 then
    v_ok := tasker.bound_starts(p_moves);
  end if;
  if p_effects & 2048 <> 0 then
    v_ok := tasker.note_races(p_moves);
  end if;
  if p_effects & 128 <> 0 then
    v_ok := tasker.attribute_moves(p_moves);
  end if;
end;
$$;

comment on function tasker.moved is
$$Door: steps were moved or created. Passes the moves to the features that their effects name. p_effects has the effects
of all moves. The functions that write moves call this door after they have written the steps, log, queue rows and
timers, while they hold the locks. The functions that it calls write rows of their own feature and queue rows of these
steps, and wait for no lock.$$;
