create or replace function tasker.check_many(
  p_kind            text,
  p_filters         jsonb,
  p_selection_uuid  uuid
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind text;
begin
  if p_selection_uuid is not null then
    v_kind := (tasker.find_selection(p_selection_uuid)).kind;
  end if;
  if v_kind <> p_kind then
    raise exception using
      errcode = 'TK422',
      message = format('selection %s has %s, not %s', p_selection_uuid, replace(v_kind, '_', ' '), p_kind),
      hint    = format('Make a selection of %s.', p_kind);
  elsif (p_filters = '{}') = (p_selection_uuid is null) then
    raise exception using
      errcode = 'TK422',
      message = format('%s of a selection, or %s that match filters: %s', p_kind, p_kind, case when p_filters = '{}' then 'neither is given' else 'both are given' end),
      hint    = case when p_filters = '{}' then 'Give a filter or a selection: without either it would be everything.' else 'The entries of a selection are an exact set.' end;
  end if;
end;
$$;

comment on function tasker.check_many is
$$Raises TK422 unless a change of many tasks or steps has either filters or a selection of the same kind. Raises TK404
if there is no such selection, or if the caller may not see it.$$;
