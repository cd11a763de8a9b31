create or replace function tasker.gather_selection(p_kind text, p_filters jsonb, p_ids uuid[], p_limit integer)
  returns tasker.selected_objects[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_selection(p_kind, p_filters, p_ids, p_limit);
  if p_filters = '{}' then
    return array(select f from tasker.find_named(p_kind, p_ids) as f);
  end if;
  return array(select f from tasker.find_selected(p_kind, p_filters, p_limit) as f);
end;
$$;

comment on function tasker.gather_selection is
$$Returns the entries that a selection with these arguments would have now. Raises the errors of tasker.check_selection.$$;
