create or replace function tasker.try_turn(p_name text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform from tasker.turns as t where t.name = p_name for update skip locked;
  return found;
end;
$$;

comment on function tasker.try_turn is
$$Takes a turn if no other session holds it, and holds the turn until the transaction ends. Returns true if it took the turn.$$;
