create or replace function tasker.note_limit_places(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_places jsonb := jsonb_path_query_array(p_steps, '$[*] ? (exists (@.limit_units) || exists (@.limit_hold) || exists (@.limits))');
  v_inputs jsonb := jsonb_path_query_array(p_steps, '$[*] ? (exists (@.limit_bound) || exists (@.limits[*].limit_bound))');
  v_limits integer[];
begin
  -- Lock in the order of the numbers, so that two registrations wait for each other and do not deadlock.
  v_limits := array(
    select l.limit_no
      from tasker.limits as l
     where l.namespace = p_namespace
       and (
         not l.with_places and tasker.names_limit(v_places, l.name)
         or not l.with_inputs and tasker.names_limit(v_inputs, l.name)
       )
     order by l.limit_no
       for no key update
  );
  update tasker.limits as l
     set with_places = l.with_places or tasker.names_limit(v_places, l.name),
         with_inputs = l.with_inputs or tasker.names_limit(v_inputs, l.name)
   where l.limit_no = any (v_limits);
end;
$$;

comment on function tasker.note_limit_places is
$$Marks the limits of steps that need several places or several limits, that hold their places for a whole run, or whose tasks give a key a bound. For a marked limit, claims also count the places in tasker.limit_places and read these bounds.$$;
