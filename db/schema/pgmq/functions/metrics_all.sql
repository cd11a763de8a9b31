-- down: nothing
create or replace function tasker_pgmq.metrics_all()
  returns setof tasker_pgmq.metrics_result
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
begin
  for v_queue in select m.queue_name from pgmq.meta as m order by m.queue_name loop
    return next pgmq.metrics(v_queue);
  end loop;
end;
$$;

comment on function tasker_pgmq.metrics_all() is
$$Returns the figures of all queues, in the order of their names.$$;
