create or replace function tasker.explain_map(p_step tasker.step_explanations, p_expansion jsonb, p_waiting bigint, p_failed bigint)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return format(
    'It runs for each of %s elements: %s have an instance, and %s of its parents have not settled%s.%s',
    p_expansion ->> 'elements', p_expansion ->> 'expanded', p_waiting,
    coalesce(format(', among them "%s"', (p_step).waiting_for -> 0 ->> 'name'), ''),
    case when p_failed > 0 then format(
      ' It ends when an operator has retried or resolved "%s"%s.', (p_step).blocked_by -> 0 ->> 'name',
      case when p_failed > 1 then format(' and %s more', p_failed - 1) else '' end
    ) else '' end
  );
end;
$$;

comment on function tasker.explain_map is
$$Explains the progress of a map, and names the failure that keeps it from ending.$$;
