create or replace function tasker.find_deferred_tasks(p_limit integer, p_seen uuid[] default '{}')
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_uuids uuid[];
begin
  -- The query locks rows one after the other, in the order of the index, until it has p_limit rows. So no caller locks more
  -- rows than it hands out, and two callers skip each other's rows. The query locks each task before its row in
  -- waiting_tasks. So a transaction that holds a task never waits for a caller of this function.
  select array_agg(w.task_uuid)
    into v_uuids
    from (
      select o.task_uuid
        from tasker.waiting_tasks as o
       cross join lateral (
         select
           from tasker.tasks as t
          where t.task_uuid = o.task_uuid
            for no key update skip locked
       ) as t
       where o.task_uuid <> all (p_seen)
         and o.discovered_until is null
         and o.dispatch_rank < 'infinity' -- always true; the condition makes the plan read the index from its first row
       order by o.dispatch_rank desc, o.task_uuid
       limit p_limit
         for update of o skip locked
    ) as w;
  return coalesce(v_uuids, '{}');
end;
$$;

comment on function tasker.find_deferred_tasks is
$$Locks the next p_limit tasks whose start was deferred, by computed priority, and returns them. Skips tasks in p_seen, and
tasks that another session has locked or discovered.$$;
