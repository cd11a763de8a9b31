create or replace function tasker.check_receiving(
  p_queue_name  text,
  p_limit       integer,
  p_vt_seconds  integer,
  p_max_reads   integer,
  p_dead_queue  text
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_wrong text := case
    when p_limit not between 1 and 1000 then format('%s messages cannot be asked for', p_limit)
    when p_vt_seconds not between 0 and 315360000 then format('a message cannot be hidden for %s seconds', p_vt_seconds)
    when p_max_reads < 1 then format('a message cannot be delivered %s times at most', p_max_reads)
    when (p_max_reads is null) <> (p_dead_queue is null) then 'a limit of reads and a dead-letter queue come together'
    when lower(p_dead_queue) = lower(p_queue_name) then 'a queue cannot be its own dead-letter queue'
  end;
begin
  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('nothing can be received from queue "%s": %s', p_queue_name, v_wrong),
      hint    = 'Ask for 1 to 1000 messages, hidden for 0 to 315360000 seconds; give both a limit of reads of at least 1 and the name of another queue, or neither.';
  end if;
  if p_dead_queue is not null then
    perform tasker.queue_table(p_dead_queue);
    perform tasker.check_queue_right(p_dead_queue, 'insert');
  end if;
end;
$$;

comment on function tasker.check_receiving is
$$Raises TK422 if messages cannot be received from a queue with these arguments, and TK404 or TK403 if the dead-letter queue cannot be used.$$;
