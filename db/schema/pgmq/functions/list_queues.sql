-- down: nothing
create or replace function tasker_pgmq.list_queues()
  returns setof tasker_pgmq.queue_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select m.queue_name, m.is_partitioned, m.is_unlogged, m.created_at
    from pgmq.meta as m
   order by m.created_at, m.queue_name;
end;
$$;

comment on function tasker_pgmq.list_queues() is
$$Returns all queues, oldest first.$$;
