create or replace function tasker.get_queue_statistics(p_queue_name text default null)
  returns setof tasker.queue_statistics
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue text;
begin
  if p_queue_name is not null then
    perform tasker.queue_table(p_queue_name);
    perform tasker.check_queue_right(p_queue_name, 'select');
    return query select s.* from tasker.queue_statistics_of(p_queue_name) as s;
    return;
  end if;

  perform tasker.check_pgmq_access('usage');
  for v_queue in
    select m.queue_name
      from pgmq.meta as m
     where has_table_privilege(to_regclass(format('pgmq.%I', lower('q_' || m.queue_name))), 'select')
       and tasker.pgmq_table_is_trusted(to_regclass(format('pgmq.%I', lower('q_' || m.queue_name))))
       and tasker.may_use_queue(m.queue_name, 'select')
     order by m.queue_name
  loop
    return query select s.* from tasker.queue_statistics_of(v_queue) as s;
  end loop;
end;
$$;

comment on function tasker.get_queue_statistics is
$$Returns the length of a queue, how many of its messages are visible, the ages of its oldest and newest message, how long its first visible message has waited, and how many messages were ever sent to it. If the name is null, returns all queues that tasker_owner may read, by name.

The counts are exact, so the function reads the whole index of a queue. Raises TK404 if there is no such queue, TK422 for an invalid queue name.$$;

grant execute on function tasker.get_queue_statistics
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
