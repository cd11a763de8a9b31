create or replace function tasker.preview_selection(p_kind text, p_filters jsonb, p_ids uuid[] default null, p_limit integer default null)
  returns setof tasker.selection_previews
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  p_filters := coalesce(p_filters, '{}');
  p_limit := coalesce(p_limit, 10000);
  return next tasker.describe_selected(p_kind, p_filters, p_limit, tasker.gather_selection(p_kind, p_filters, p_ids, p_limit));
end;
$$;

comment on function tasker.preview_selection is
$$Returns a description of the selection that tasker.create_selection would store now with the same arguments, the
number of its entries and their digest. If create_selection gets this digest, it stores the selection only if it has
exactly these entries.

Raises the errors of create_selection.$$;

grant execute on function tasker.preview_selection to tasker_orchestrator, tasker_operator, tasker_reader;
