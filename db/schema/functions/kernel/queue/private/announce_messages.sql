create or replace function tasker.announce_messages(p_queue_name text, p_messages jsonb[])
  returns void
  language plpgsql
as $$
begin
  if to_regclass('pgmq.' || quote_ident(lower('q_' || p_queue_name))) is null then
    raise warning using
      errcode = '01000',
      message = format('queue "%s" does not exist: nothing announces %s steps', p_queue_name, cardinality(p_messages)),
      hint    = 'Claims find them. Create the queue again with tasker.ensure_task_queue(name).';
    return;
  end if;
  perform tasker.send_messages(p_queue_name, p_messages);
end;
$$;

comment on function tasker.announce_messages is
$$Sends messages that announce rows of the table step_queue (tasker.send_messages). If the queue has been dropped, the function only warns, because workers can claim the rows without these messages.$$;
