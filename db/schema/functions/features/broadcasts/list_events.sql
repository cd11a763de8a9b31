create or replace function tasker.list_events(
  p_namespace    text         default null,
  p_name         text         default null,
  p_key          text         default null,
  p_before_at    timestamptz  default null,
  p_before_uuid  uuid         default null,
  p_limit        integer      default 100
)
  returns setof tasker.broadcast_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 1000);
  perform tasker.check_text_size('name of an event', p_name, 128);
  perform tasker.check_text_size('key of an event', p_key, 500);
  perform tasker.check_instant('time before which a page begins', p_before_at);
  if (p_before_at is null) <> (p_before_uuid is null) then
    raise exception using
      errcode = 'TK422',
      message = 'a page begins before an event: p_before_at and p_before_uuid come together',
      hint    = 'Give sent_at and event_uuid of the last row of the page before.';
  end if;

  -- The query is planned for the given filters.
  return query
  select d.*
    from (
      select b
        from tasker.broadcasts as b
       where (p_namespace is null or b.namespace = p_namespace)
         and (v_bound is null or b.namespace = any (v_bound))
         and (p_name is null or b.name = p_name)
         and (p_key is null or b.key = p_key)
         and (p_before_at is null or (b.sent_at, b.event_uuid) < (p_before_at, p_before_uuid))
       order by b.sent_at desc, b.event_uuid desc
       limit p_limit
    ) as o
   cross join lateral tasker.describe_event(o.b) as d
   order by d.sent_at desc, d.event_uuid desc;
end;
$$;

comment on function tasker.list_events is
$$Returns the kept events that match all given filters, newest first. The filters are namespace, name and key (empty for events without a key). Null is no filter. A bound caller sees its namespaces only.

The next page begins before the last row of this page. p_before_at is the sent_at of that row, p_before_uuid its event_uuid. Returns at most p_limit rows; p_limit is at most 1,000. Counts the receipts of each event. Raises TK422 for an argument out of range, TK413 for a text that is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_events
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
