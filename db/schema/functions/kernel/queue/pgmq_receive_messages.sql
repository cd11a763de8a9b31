create or replace function tasker.pgmq_receive_messages(
  p_queue_name  text,
  p_limit       integer default 1,
  p_vt_seconds  integer default 30,
  p_max_reads   integer default null,
  p_dead_queue  text default null
)
  returns setof tasker.queue_messages
  language plpgsql
  security definer
  rows 10
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_table regclass    := tasker.queue_table(p_queue_name);
  v_limit integer     := coalesce(p_limit, 1);
  v_now   timestamptz;
begin
  perform tasker.check_queue_right(p_queue_name, 'update');
  perform tasker.check_receiving(p_queue_name, v_limit, p_vt_seconds, p_max_reads, p_dead_queue);

  -- Repeat until none of the first messages is poison. Otherwise a receiver would get no message if all first messages
  -- are poison, and would take the queue for empty.
  if p_max_reads is not null then
    while tasker.bury_messages(v_table, v_limit, p_max_reads, p_dead_queue) > 0 loop
    end loop;
  end if;

  v_now := clock_timestamp();
  return query execute format(
    $sql$
      with received as (
        update %1$s as q
           set vt      = $1 + make_interval(secs => $3),
               read_ct = q.read_ct + 1%2$s
         where q.msg_id = any (array(
                 select d.msg_id
                   from %1$s as d
                  where d.vt <= $1
                    and ($4 is null or d.read_ct < $4)
                  order by d.vt, d.msg_id
                  limit $2
                    for update skip locked
               ))
        returning %3$s
      )
      select r.* from received as r order by r.msg_id
    $sql$,
    v_table,
    case when tasker.queue_message_columns(v_table) like '%q.last_read_at%' then ', last_read_at = $1' else '' end,
    tasker.queue_message_columns(v_table)
  ) using v_now, v_limit, coalesce(p_vt_seconds, 30), p_max_reads;
end;
$$;

comment on function tasker.pgmq_receive_messages is
$$Receives up to p_limit (null: 1) visible messages, beginning with those messages that have been visible longest, and hides them for p_vt_seconds (null: 30). Returns the messages in the order of their ids. A message that has already been read p_max_reads times is moved to p_dead_queue instead.

The Go package messaging calls this function. Pass msg_id and read_ct of a returned row to pgmq_acknowledge_message and pgmq_hide_message to name this delivery. Locks the messages and skips locked messages. Raises TK404 if there is no such queue, TK422 for a number that is out of range or p_max_reads without p_dead_queue, TK403 if the caller may not use a queue or it is not shared with tasker_owner.$$;

grant execute on function tasker.pgmq_receive_messages
  to tasker_worker, tasker_orchestrator, tasker_operator;
