create or replace function tasker.note_limit_places(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limits integer[];
begin
  -- Lock in the order of the numbers, so that two registrations wait for each other and do not deadlock.
  v_limits := array(
    select l.limit_no
      from tasker.limits as l
     where l.namespace = p_namespace
       and not l.with_places
       and exists (
         select
           from jsonb_array_elements(p_steps) as e (value)
          where e.value ?| '{limit_units,limit_hold,limits}'
            and tasker.limits_of(e.value) ? l.name
       )
     order by l.limit_no
       for no key update
  );
  update tasker.limits as l set with_places = true where l.limit_no = any (v_limits);
end;
$$;

comment on function tasker.note_limit_places is
$$Marks the limits of steps that need several places or several limits, or that hold their places for a whole run. Claims count the places of a marked limit in tasker.limit_places, too.$$;
