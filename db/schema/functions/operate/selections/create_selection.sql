create or replace function tasker.create_selection(
  p_kind     text,
  p_filters  jsonb,
  p_ids      uuid[]   default null,
  p_limit    integer  default null,
  p_actor    text     default null,
  p_digest   text     default null
)
  returns setof tasker.selection_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_found     tasker.selected_objects[];
  v_preview   tasker.selection_previews;
  v_selection uuid;
begin
  p_filters := coalesce(p_filters, '{}');
  p_limit := coalesce(p_limit, 10000);
  perform tasker.check_given_name('actor', p_actor, 200);
  v_found := tasker.gather_selection(p_kind, p_filters, p_ids, p_limit);
  v_preview := tasker.describe_selected(p_kind, p_filters, p_limit, v_found);
  if v_preview.digest <> p_digest then
    raise exception using
      errcode = 'TK409',
      message = format('the set has changed since it was shown: it has %s now', v_preview.words),
      hint    = 'Look at the set again, and confirm it as it is now.';
  end if;

  insert into tasker.selections as s (kind, filters, words, entries, more, namespaces, created_by, created_login)
  values (
    p_kind, p_filters, v_preview.words, v_preview.entries, v_preview.more,
    array(select distinct f.namespace from unnest(v_found) as f where f.namespace is not null order by 1),
    tasker.actor_name(p_actor), session_user
  )
  returning s.selection_uuid into v_selection;
  -- The oldest task first, because transactions lock tasks in this order.
  insert into tasker.selection_entries (selection_uuid, entry_no, object_uuid, task_uuid)
  select v_selection, row_number() over (order by f.task_uuid, f.object_uuid), f.object_uuid, f.task_uuid
    from unnest(v_found) as f;
  return query select g.* from tasker.get_selection(v_selection) as g;
end;
$$;

comment on function tasker.create_selection is
$$Stores a set of tasks, steps or dead letters (p_kind). The entries of the set are the objects that match p_filters
now, or the objects with the UUIDs in p_ids. Returns the selection with its count and a description in words. The set
does not change, whatever happens to its entries. tasker.start_mass_action acts on exactly these entries.

Filters of the kind "tasks" are namespace, name, version, state, tags, correlation_id, requested_after and
requested_before. The filter "incident" finds the steps that have failed for an incident and are still in error, or the
tasks of these steps. The filter "incident" cannot be combined with another filter. Filters of the kind "dead_letters"
are namespace, reason and status ("pending" for all open dead letters). If more than p_limit entries match (default and
maximum: 10,000), the selection has only the newest entries, and says that there are more. A selection without a mass
action is deleted after a day. If p_digest is the digest that tasker.preview_selection returned, the selection is stored
only if it has the entries that were shown.

Locks nothing. Raises TK422 for an unknown kind or filter, for neither or both of p_filters and p_ids, or for a limit
out of range. Raises TK413 for more than 10,000 entries. Raises TK409 if p_digest is the digest of other entries, and
TK404 if an entry or the incident does not exist. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.create_selection to tasker_operator;
