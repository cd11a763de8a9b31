create or replace function tasker.read_stream(
  p_step_uuid  uuid,
  p_stream     text,
  p_after      bigint   default 0,
  p_limit      integer  default 1000,
  p_search     text     default null
)
  returns setof tasker.stream_entries
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
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_stream_name(p_step_uuid, p_stream);
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_step_exists(p_step_uuid);
  return query
  select b.first_no + e.place - 1, e.item, b.attempt, b.written_at
    from tasker.stream_items as b
   cross join lateral jsonb_array_elements(b.items) with ordinality as e (item, place)
   where b.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and b.step_no = tasker.step_no_of(p_step_uuid)
     and b.name = p_stream
     and b.last_no > coalesce(p_after, 0)
     and b.first_no + e.place - 1 > coalesce(p_after, 0)
     and (p_search is null or position(lower(p_search) in lower(e.item::text)) > 0)
   order by b.last_no, e.place
   limit p_limit;
end;
$$;

comment on function tasker.read_stream is
$$Returns the items of a stream of a step in the order of their numbers, in pages: the last number of a page is p_after of the next page. Returns no row while the stream has no item after p_after. With p_search, returns only the items whose text contains p_search; upper and lower case do not matter. The first number is above 1 if the stream "log" has lost its oldest items.

The cost is linear in the number of items that the call reads. Raises TK404 if there is no such step, TK422 for a limit out of range or a malformed name, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.read_stream
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
