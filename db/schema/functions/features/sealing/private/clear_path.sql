create or replace function tasker.clear_path(p_path text, p_clear jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- Each reference to the root $, also in a filter, must be followed by a field that is in the clear. References to
  -- $inputs are allowed.
  select p_path ~ '^\s*((lax|strict)\s+)?\$(inputs)?\s*\.'
     and not exists (
       select
         from regexp_matches(p_path, '\$(inputs\M)?(\s*\.\s*("[^"\\]*"|[A-Za-z_][A-Za-z0-9_]*))?', 'g') as m
        where m[1] is null
          and not p_clear ? coalesce(btrim(m[3], '"'), '')
     );
end;

comment on function tasker.clear_path is
$$Returns true if a path reads only fields of the context that are in the clear, or inputs of the step.$$;
