create or replace function tasker.get_selection(p_selection_uuid uuid)
  returns setof tasker.selection_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_selection tasker.selections := tasker.find_selection(p_selection_uuid);
begin
  return query
  select
    v_selection.selection_uuid, v_selection.kind, v_selection.filters, v_selection.words, v_selection.entries, v_selection.more,
    v_selection.namespaces, v_selection.created_at, v_selection.created_by,
    (select m.action from tasker.mass_actions as m where m.selection_uuid = v_selection.selection_uuid);
end;
$$;

comment on function tasker.get_selection is
$$Returns a selection: a description in words, the filters, the number of entries, and who created it and when. Raises
TK404 if there is no such selection, or if the caller is bound to other namespaces than its entries.$$;

grant execute on function tasker.get_selection to tasker_orchestrator, tasker_operator, tasker_reader;
