create or replace function tasker.root_effects(p_template jsonb)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  -- The bit 128: the context has attributes of the task. The bit 2: the context bounds keys of limits.
  select coalesce(bit_or(tasker.effects_of_move(
      tasker.step_effects(s.value), 'pending',
      case when s.value ?| '{await,task}' then 'suspended'::tasker.step_state else 'enqueued' end
    )), 0::smallint) | case when jsonb_path_exists(p_template, '$.attributes.*.context') then 128 else 0 end::smallint
      | case when jsonb_path_exists(p_template, '$.steps[*] ? (exists (@.limit_bound) || exists (@.limits[*].limit_bound))') then 2 else 0 end::smallint
    from jsonb_array_elements(p_template -> 'steps') as s (value)
   where s.value -> 'dependencies' = '[]'
     and not s.value ? 'for_each';
end;

comment on function tasker.root_effects is
$$Returns the combined effects of the first moves of all root steps of a template and of the creation of a task. The template is in normal form.$$;
