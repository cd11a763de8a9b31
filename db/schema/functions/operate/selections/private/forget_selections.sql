create or replace function tasker.forget_selections(p_limit integer)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_deleted bigint;
begin
  with old as materialized (
    select s.selection_uuid
      from tasker.selections as s
      left join tasker.mass_actions as m
        on m.selection_uuid = s.selection_uuid
     where m.selection_uuid is null and s.created_at < tasker.clock() - interval '1 day'
        or m.state <> 'running' and coalesce(m.ended_at, m.ran_at, m.started_at) < tasker.clock() - interval '30 days'
     order by s.selection_uuid
     limit p_limit
       for update of s skip locked
  ),
  gone as (
    delete from tasker.selections as s
     using old as o
     where s.selection_uuid = o.selection_uuid
    returning s.selection_uuid
  )
  select count(*) into v_deleted from gone;
  return v_deleted;
end;
$$;

comment on function tasker.forget_selections is
$$Deletes selections that are older than a day and that no mass action uses, and mass actions that ended more than a
month ago, at most p_limit of them. Returns how many it deleted. Skips selections and mass actions that another
transaction has locked.$$;
