create or replace function tasker.describe_selected(p_kind text, p_filters jsonb, p_limit integer, p_found tasker.selected_objects[])
  returns tasker.selection_previews
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_preview tasker.selection_previews;
begin
  v_preview.entries := cardinality(p_found);
  v_preview.more := p_filters <> '{}' and cardinality(p_found) = p_limit
    and exists (select from tasker.find_selected(p_kind, p_filters, 1, p_found[cardinality(p_found)].object_uuid));
  v_preview.words := tasker.selection_words(p_kind, p_filters, v_preview.entries, v_preview.more);
  v_preview.digest := md5(coalesce((select string_agg(f.object_uuid::text, ' ' order by f.object_uuid) from unnest(p_found) as f), ''));
  return v_preview;
end;
$$;

comment on function tasker.describe_selected is
$$Returns a description of the entries of a selection in words, their count, whether more entries match, and their
digest.$$;
