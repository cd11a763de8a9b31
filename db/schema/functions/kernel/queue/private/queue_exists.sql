create or replace function tasker.queue_exists(p_queue_name text)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- The schema may belong to a role that has not granted any right on it.
  if not coalesce(has_schema_privilege(to_regnamespace('pgmq'), 'usage'), false) then
    return false;
  end if;
  return tasker.pgmq_table_is_trusted(to_regclass('pgmq.meta'))
    and exists (select from pgmq.meta as m where m.queue_name = p_queue_name);
end;
$$;

comment on function tasker.queue_exists is
$$Returns true if the pgmq queue exists and tasker_owner can use it.$$;
