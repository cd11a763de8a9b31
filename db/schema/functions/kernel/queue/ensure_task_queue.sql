create or replace function tasker.ensure_task_queue(
  p_queue_name  text,
  p_actor       text  default null,
  p_reason      text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_twin text;
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_queue_name(p_queue_name);
  perform tasker.check_queue_right(p_queue_name, 'insert');
  perform tasker.check_pgmq_access('usage');
  perform tasker.check_pgmq_access('create');

  select m.queue_name
    into v_twin
    from pgmq.meta as m
   where lower(m.queue_name) = lower(p_queue_name)
   order by m.queue_name <> p_queue_name
   limit 1;
  if v_twin is null then
    -- Only one session at a time creates a queue of this name. The next session finds the queue. An advisory lock works
    -- with every version of pgmq.
    perform pg_advisory_xact_lock(hashtextextended('tasker.queue.' || lower(p_queue_name), 0));
    select m.queue_name
      into v_twin
      from pgmq.meta as m
     where lower(m.queue_name) = lower(p_queue_name)
     order by m.queue_name <> p_queue_name
     limit 1;
  end if;
  if v_twin <> p_queue_name then
    raise exception using
      errcode = 'TK409',
      message = format('queue "%s" cannot be created beside "%s"', p_queue_name, v_twin),
      hint    = 'Names that differ only in case would share one table.';
  end if;

  if to_regclass(format('pgmq.%I', lower('q_' || p_queue_name))) is not null then
    -- Refuse a table that another role has prepared under this name, before pgmq takes it over.
    perform tasker.queue_table(p_queue_name);
  end if;
  if v_twin is null or to_regclass(format('pgmq.%I', lower('q_' || p_queue_name))) is null then
    perform pgmq.create(p_queue_name);
    perform tasker.note_administration(
      'queues', p_queue_name, array[substring(p_queue_name from '^worker_([a-z][a-z0-9_]*)_queue(?:_high|_low)?$')], 'insert'
    );
  end if;
  perform tasker.pgmq_ensure_headers_column(p_queue_name);
  return true;
end;
$$;

comment on function tasker.ensure_task_queue is
$$Creates a pgmq queue if it does not exist. The queue has the column "headers" in every version of pgmq. Always returns true.

Idempotent. Does not lock an existing queue, and waits for another session that creates a queue of this name. Raises TK422 for an invalid queue name, TK409 if another queue's name differs only in case, TK403 if tasker_owner may not create queues.$$;

grant execute on function tasker.ensure_task_queue to tasker_orchestrator, tasker_operator;
