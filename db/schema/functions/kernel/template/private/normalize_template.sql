create or replace function tasker.normalize_template(p_template jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps jsonb;
begin
  -- jsonb_strip_nulls is recursive, so the caller's own JSON (initialization) is added after it.
  select coalesce(jsonb_agg(
      tasker.normal_step(s.value, d.dependencies, jsonb_strip_nulls(jsonb_build_object(
        'name', s.value -> 'name',
        'description', s.value -> 'description',
        'handler', coalesce(s.value ->> 'handler', s.value ->> 'name'),
        'dependencies', d.dependencies,
        'join', coalesce(s.value ->> 'join', 'all'),
        'retry', tasker.normalize_retry(s.value -> 'retry'),
        'timeout_seconds', (s.value ->> 'timeout_seconds')::numeric::integer,
        'priority', coalesce((s.value ->> 'priority')::numeric::integer, 0),
        'compensate', s.value -> 'compensate',
        'start_within', tasker.wait_seconds(s.value -> 'start_within'),
        'limit', s.value -> 'limit',
        'limit_key', (s.value ->> 'limit_key')::jsonpath::text
      )) || jsonb_build_object('initialization', coalesce(nullif(s.value -> 'initialization', 'null'), '{}')))
      order by s.no
    ), '[]')
    into v_steps
    from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
   cross join lateral (
     select coalesce(jsonb_agg(
         case
           when jsonb_typeof(e.value) = 'string' then e.value
           when e.value ->> 'when' is null and coalesce(e.value ->> 'on', 'complete') = 'complete' then e.value -> 'step'
           else jsonb_strip_nulls(jsonb_build_object(
             'step', e.value -> 'step', 'when', (e.value ->> 'when')::jsonpath::text, 'on', nullif(e.value ->> 'on', 'complete')
           ))
         end
         order by coalesce(e.value ->> 'step', e.value #>> '{}') collate "C"
       ), '[]') as dependencies
       from jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) as e (value)
   ) as d;

  return jsonb_strip_nulls(jsonb_build_object(
    'namespace', p_template -> 'namespace',
    'name', p_template -> 'name',
    'version', coalesce(p_template ->> 'version', '0.1.0'),
    'description', p_template -> 'description',
    'identity_strategy', coalesce(p_template ->> 'identity_strategy', 'strict'),
    'on_failure', coalesce(p_template ->> 'on_failure', 'continue'),
    'on_undo', nullif(p_template ->> 'on_undo', 'cancel'),
    'lifecycle', jsonb_build_object(
      'max_waiting_for_dependencies_minutes',
      (p_template #>> '{lifecycle,max_waiting_for_dependencies_minutes}')::numeric::integer,
      'max_waiting_for_retry_minutes',
      (p_template #>> '{lifecycle,max_waiting_for_retry_minutes}')::numeric::integer,
      'max_steps_in_process_minutes',
      (p_template #>> '{lifecycle,max_steps_in_process_minutes}')::numeric::integer
    )
  )) || jsonb_build_object('steps', v_steps)
    || case when p_template ?| '{input_schema,encrypted,start_on,cancel_on,runs,attributes}' then tasker.normal_fields(p_template) else '{}' end;
end;
$$;

comment on function tasker.normalize_template is
$$Returns a valid template in normal form: defaults filled in, dependencies and numbers in one spelling, dependencies sorted. Values that come from settings stay absent. Steps keep their order, because it determines their numbers.$$;
