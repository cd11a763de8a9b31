create or replace function tasker.mark_sleeping(
  p_sleeper_uuid  uuid,
  p_channels      text[],
  p_seconds       integer  default 30
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now timestamptz := tasker.clock();
begin
  perform tasker.refuse_recovery();
  perform tasker.check_isolation();
  p_seconds := coalesce(p_seconds, 30);
  if p_sleeper_uuid is null
     or cardinality(p_channels) between 1 and 1000 is not true
     or p_seconds between 1 and 300 is not true
     or exists (
       select
         from unnest(p_channels) as u (channel)
        where u.channel ~ '^(tasker_steps_ready\.[a-z][a-z0-9_]{0,28}|tasker_task_events(\.[0-9a-f-]{36})?|tasker_streams\.[0-9a-f-]{36}|pgmq_message_ready(\.[^.]{1,60})?)$'
          is not true
     ) then
    raise exception using
      errcode = 'TK422',
      message = 'a client cannot be marked as sleeping with these arguments',
      detail  = format('sleeper %s, channels %s, %s seconds', p_sleeper_uuid, left(p_channels::text, 200), p_seconds),
      hint    = 'Pass 1 to 1,000 of pgtasker''s channels that the client listens to, and 1 to 300 seconds.';
  end if;

  perform tasker.check_bound_namespaces(array(
    select split_part(u.channel, '.', 2)
      from unnest(p_channels) as u (channel)
     where u.channel like 'tasker\_steps\_ready.%'
  ));

  -- Marks that ended long ago belong to clients that crashed.
  delete from tasker.sleepers as s
   where s.ctid = any (array(
     select d.ctid
       from tasker.sleepers as d
      where d.until < v_now - interval '1 minute'
      limit 1000
        for update skip locked
   ));

  insert into tasker.sleepers as s (channel, sleeper_uuid, until)
  select distinct u.channel, p_sleeper_uuid, v_now + make_interval(secs => p_seconds)
    from unnest(p_channels) as u (channel)
  on conflict (channel, sleeper_uuid) do update set until = excluded.until;

  return not exists (
    select
      from unnest(p_channels) as u (channel)
      left join tasker.task_namespaces as n
        on u.channel = 'tasker_steps_ready.' || n.name
     where coalesce(n.notify, (select s.value from tasker.settings as s where s.name = 'notify')) = 'off'
  );
end;
$$;

comment on function tasker.mark_sleeping is
$$Marks that a client sleeps until a notification wakes it, on channels that it already listens to: tasker_steps_ready.<namespace>, tasker_task_events, tasker_task_events.<task_uuid> for the changes of one task (tasker_task_events also carries these changes), pgmq_message_ready and pgmq_message_ready.<namespace>. Returns false if notifications are off on one of these channels, so that the client has to poll.

Commit the call, then call open_writers, then query once more, and only then sleep (docs/wakeups.md says why). Call it again well before the mark ends. Idempotent. Locks the client's own rows of tasker.sleepers. Raises TK403 for a namespace that the caller is not bound to, TK409 above READ COMMITTED, TK422 for a channel that does not belong to pgtasker, or a value out of its bounds.$$;

grant execute on function tasker.mark_sleeping
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
