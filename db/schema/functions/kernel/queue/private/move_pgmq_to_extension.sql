create or replace function tasker.move_pgmq_to_extension()
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_queue record;
  v_moved bigint := 0;
begin
  if tasker.pgmq_kind() <> 'own' then
    raise exception using
      errcode = 'TK409',
      message = 'schema "pgmq" was not installed by pgtasker',
      detail  = format('Its kind is "%s".', tasker.pgmq_kind()),
      hint    = 'There is nothing to move: pgtasker uses the existing pgmq.';
  end if;
  if not exists (
    select
      from pg_available_extensions as x
     where x.name = 'pgmq'
       and string_to_array(substring(x.default_version from '^[0-9]+[.][0-9]+'), '.')::integer[] >= '{1,11}'
  ) then
    raise exception using
      errcode = 'TK409',
      message = 'extension "pgmq" 1.11 or newer is not available on this server',
      hint    = 'Install its files on the server first: select * from pg_available_extensions.';
  end if;

  -- From here on, senders and readers wait. Afterwards they find the new tables under the old names.
  lock table pgmq.meta in access exclusive mode;
  for v_queue in select m.queue_name from pgmq.meta as m order by m.queue_name loop
    execute format(
      'lock table pgmq.%I, pgmq.%I in access exclusive mode',
      lower('q_' || v_queue.queue_name), lower('a_' || v_queue.queue_name)
    );
  end loop;

  alter schema pgmq rename to pgmq_embedded;
  create extension pgmq;

  for v_queue in
    select m.queue_name, m.is_unlogged from pgmq_embedded.meta as m order by m.created_at, m.queue_name
  loop
    v_moved := v_moved + tasker.move_queue_to_extension(v_queue.queue_name, v_queue.is_unlogged);
  end loop;
  update pgmq.meta as m
     set created_at = e.created_at
    from pgmq_embedded.meta as e
   where e.queue_name = m.queue_name;

  perform tasker.adopt_pgmq();
  return v_moved;
end;
$$;

comment on function tasker.move_pgmq_to_extension is
$$Moves from pgtasker's own pgmq to the extension, in the caller's transaction: creates the extension, and recreates every queue in it, with messages in flight, archive and ids. Returns how many messages it copied. The old schema is kept as pgmq_embedded: drop it when everything works.

The user who migrates calls this function. Locks all queues exclusively until the transaction ends. Raises TK409 if schema pgmq is not pgtasker's own or the extension is not available in version 1.11 or newer.$$;
