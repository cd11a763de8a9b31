create or replace function tasker.find_dlq_entries_by_short_id(p_short_id text)
  returns setof uuid
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_digits text   := tasker.check_short_id(p_short_id);
  v_bound  text[] := tasker.bound_namespaces();
begin
  return query
  select d.dlq_entry_uuid
    from (
      select d.dlq_entry_uuid
        from tasker.tasks_dlq as d
       order by d.dlq_entry_uuid desc
       limit 200000
    ) as u
    join tasker.tasks_dlq as d
      on d.dlq_entry_uuid = u.dlq_entry_uuid
   where substr(u.dlq_entry_uuid::text, 25, length(v_digits)) = v_digits
     and (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
   order by d.dlq_entry_uuid desc
   limit 10;
end;
$$;

comment on function tasker.find_dlq_entries_by_short_id is
$$Returns the UUIDs of at most 10 investigations whose short id begins with these 4 to 8 digits, newest first. A bound
caller finds only entries of its own namespaces.

Searches the 200,000 newest investigations. Raises TK422 for a text that is no short id.$$;

grant execute on function tasker.find_dlq_entries_by_short_id to tasker_orchestrator, tasker_operator, tasker_reader;
