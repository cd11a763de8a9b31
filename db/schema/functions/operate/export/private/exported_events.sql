create or replace function tasker.exported_events(p_steps jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select jsonb_agg(
          jsonb_build_object('step_no', e.step_no, 'received_at', e.received_at) || (e.taken - 'by')
          order by e.step_no, e.position
        )
        from (
          select s.value -> 'step_no' as step_no, s.value -> 'processed_at' as received_at, s.value -> 'results' as taken, 0 as position
            from jsonb_array_elements(p_steps) as s (value)
           where s.value -> 'results' @> '{"by": "event"}'
          union all
          select s.value -> 'step_no', k.value -> 'kept_at', k.value -> 'value', (k.value ->> 'position')::integer
            from jsonb_array_elements(p_steps) as s (value)
           cross join lateral jsonb_array_elements(s.value #> '{function,kept}') as k (value)
           where jsonb_typeof(s.value #> '{function,kept}') = 'array'
             and starts_with(k.value ->> 'name', '$event.')
             and k.value -> 'value' @> '{"by": "event"}'
        ) as e
    ),
    '[]'
  );
end;
$$;

comment on function tasker.exported_events is
$$Returns the events that the steps of an export have taken. Such an event ended a wait that the template declares, or a
wait of a durable function.$$;
