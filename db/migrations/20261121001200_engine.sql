-- engine: claims, results, evaluation, time
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/doors/claims/private/handled_here.sql
create or replace function tasker.handled_here()
  returns uuid[]
  language sql
  stable
begin atomic
  select array(select h.named_step_uuid from tasker.named_steps as h where starts_with(h.name, 'sql:') order by 1);
end;

comment on function tasker.handled_here is
$$Door: returns the handlers whose steps the database runs itself. The row of tasker.settings_now keeps these handlers for claims.$$;
-- <<<

-- >>> db/schema/functions/kernel/setting/private/current_settings.sql
create or replace function tasker.current_settings()
  returns setof tasker.settings_now
  language sql
  stable
begin atomic
  select
    true,
    tasker.setting_integer('lease_seconds'),
    tasker.setting_integer('max_lost'),
    tasker.setting_integer('result_bytes'),
    tasker.setting_integer('claim_bytes'),
    tasker.setting_numeric('lane_weight_high'),
    tasker.setting_numeric('lane_weight_normal'),
    tasker.setting_numeric('lane_weight_low'),
    tasker.setting_numeric('backoff_base'),
    tasker.setting_numeric('backoff_multiplier'),
    tasker.setting_integer('max_backoff_seconds'),
    tasker.setting_numeric('backoff_jitter'),
    exists (select from tasker.role_bindings as b),
    tasker.setting_integer('kept_results'),
    tasker.setting_integer('kept_bytes')::bigint,
    (
      select case when count(*) <= 100 then coalesce(array_agg(h.handler order by h.handler), '{}') end
        from (select distinct h.handler from tasker.limit_handlers as h limit 101) as h
    ),
    exists (select from tasker.task_namespaces as n where n.transport = 'broker'),
    array(select p.namespace || '/' || p.named_step_uuid::text from tasker.handler_pauses as p order by 1),
    tasker.handled_here(),
    tasker.setting_integer('context_bytes'),
    tasker.setting('notify'),
    tasker.setting('notify') = 'always' or exists (select from tasker.task_namespaces as n where n.notify = 'always'),
    c.covered_from,
    (
      select min(r.ends_at)
        from tasker.partition_ranges as r
       where r.starts_at >= c.covered_from
         and not exists (select from tasker.partition_ranges as n where n.starts_at = r.ends_at)
    )
    from (select max(r.starts_at) as covered_from from tasker.partition_ranges as r where r.starts_at <= tasker.clock()) as c;
end;

comment on function tasker.current_settings is
$$Computes the row of tasker.settings_now.$$;
-- <<<

-- >>> db/schema/data/settings_now.sql
-- down: delete from tasker.settings_now;
insert into tasker.settings_now
select * from tasker.current_settings();
-- <<<

-- >>> db/schema/functions/kernel/setting/private/refresh_settings_now.sql
create or replace function tasker.refresh_settings_now()
  returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Lock first. So if two transactions change settings, the second computes the row after the first has committed.
  perform from tasker.settings_now as c for update;
  update tasker.settings_now as c
     set lease_seconds       = n.lease_seconds,
         max_lost            = n.max_lost,
         result_bytes        = n.result_bytes,
         claim_bytes         = n.claim_bytes,
         lane_weight_high    = n.lane_weight_high,
         lane_weight_normal  = n.lane_weight_normal,
         lane_weight_low     = n.lane_weight_low,
         backoff_base        = n.backoff_base,
         backoff_multiplier  = n.backoff_multiplier,
         max_backoff_seconds = n.max_backoff_seconds,
         backoff_jitter      = n.backoff_jitter,
         any_bound           = n.any_bound,
         kept_results        = n.kept_results,
         kept_bytes          = n.kept_bytes,
         limited_handlers    = n.limited_handlers,
         any_brokered        = n.any_brokered,
         paused_handlers     = n.paused_handlers,
         handled_here        = n.handled_here,
         context_bytes       = n.context_bytes,
         notify              = n.notify,
         any_announced            = n.any_announced,
         covered_from        = n.covered_from,
         covered_until       = n.covered_until
    from tasker.current_settings() as n
   where c is distinct from n;
  return null;
end;
$$;

comment on function tasker.refresh_settings_now is
$$Trigger function: updates tasker.settings_now. Locks its row.$$;
-- <<<

-- >>> db/schema/triggers/kernel/state/settings_now.sql
create or replace trigger settings_refresh_now
  after insert or update or delete on tasker.settings
  for each statement execute function tasker.refresh_settings_now();

-- Only a namespace with a broker, or a namespace that always notifies, can change the row. The registration of other
-- namespaces must not wait for the row.
create or replace trigger task_namespaces_refresh_settings_now
  after insert on tasker.task_namespaces
  for each row when (new.transport = 'broker' or new.notify = 'always') execute function tasker.refresh_settings_now();

create or replace trigger task_namespaces_mode_refresh_settings_now
  after update on tasker.task_namespaces
  for each row when (
    new.transport <> old.transport and 'broker' in (new.transport, old.transport)
    or new.notify is distinct from old.notify and (new.notify = 'always' or old.notify = 'always')
  ) execute function tasker.refresh_settings_now();

create or replace trigger task_namespaces_delete_refresh_settings_now
  after delete on tasker.task_namespaces
  for each row when (old.transport = 'broker' or old.notify = 'always') execute function tasker.refresh_settings_now();

create or replace trigger role_bindings_refresh_settings_now
  after insert or update or delete on tasker.role_bindings
  for each statement execute function tasker.refresh_settings_now();

create or replace trigger limit_handlers_refresh_settings_now
  after insert or update or delete on tasker.limit_handlers
  for each statement execute function tasker.refresh_settings_now();

create or replace trigger handler_pauses_refresh_settings_now
  after insert or update or delete on tasker.handler_pauses
  for each statement execute function tasker.refresh_settings_now();

-- Each registration inserts handlers, but the database itself runs only a few of them.
create or replace trigger named_steps_refresh_settings_now
  after insert on tasker.named_steps
  for each row when (starts_with(new.name, 'sql:')) execute function tasker.refresh_settings_now();

create or replace trigger named_steps_delete_refresh_settings_now
  after delete on tasker.named_steps
  for each row when (starts_with(old.name, 'sql:')) execute function tasker.refresh_settings_now();

-- Ranges that have ended do not matter to creations. Retention drops them under exclusive locks and must not wait for the row.
create or replace trigger partition_ranges_refresh_settings_now
  after insert on tasker.partition_ranges
  for each row when (new.ends_at > tasker.clock()) execute function tasker.refresh_settings_now();

create or replace trigger partition_ranges_bounds_refresh_settings_now
  after update of starts_at, ends_at on tasker.partition_ranges
  for each row execute function tasker.refresh_settings_now();

create or replace trigger partition_ranges_delete_refresh_settings_now
  after delete on tasker.partition_ranges
  for each row when (old.ends_at > tasker.clock()) execute function tasker.refresh_settings_now();

comment on trigger settings_refresh_now on tasker.settings is
  'Maintains tasker.settings_now.';
comment on trigger task_namespaces_refresh_settings_now on tasker.task_namespaces is
  'Maintains tasker.settings_now: any_brokered and any_announced.';
comment on trigger task_namespaces_mode_refresh_settings_now on tasker.task_namespaces is
  'Maintains tasker.settings_now: any_brokered and any_announced.';
comment on trigger task_namespaces_delete_refresh_settings_now on tasker.task_namespaces is
  'Maintains tasker.settings_now: any_brokered and any_announced.';
comment on trigger role_bindings_refresh_settings_now on tasker.role_bindings is
  'Maintains tasker.settings_now.any_bound.';
comment on trigger limit_handlers_refresh_settings_now on tasker.limit_handlers is
  'Maintains tasker.settings_now.limited_handlers.';
comment on trigger handler_pauses_refresh_settings_now on tasker.handler_pauses is
  'Maintains tasker.settings_now.paused_handlers.';
comment on trigger named_steps_refresh_settings_now on tasker.named_steps is
  'Maintains tasker.settings_now.handled_here.';
comment on trigger named_steps_delete_refresh_settings_now on tasker.named_steps is
  'Maintains tasker.settings_now.handled_here.';
comment on trigger partition_ranges_refresh_settings_now on tasker.partition_ranges is
  'Maintains tasker.settings_now.covered_from and covered_until.';
comment on trigger partition_ranges_bounds_refresh_settings_now on tasker.partition_ranges is
  'Maintains tasker.settings_now.covered_from and covered_until.';
comment on trigger partition_ranges_delete_refresh_settings_now on tasker.partition_ranges is
  'Maintains tasker.settings_now.covered_from and covered_until.';
-- <<<

-- >>> db/schema/rows/kernel/claim/claimed_steps.sql
create or replace view tasker.claimed_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  ''::text as name,
  ''::text as handler,
  0::integer as attempt,
  0::integer as max_attempts,
  0::integer as lost_count,
  0::integer as priority,
  '-infinity'::timestamptz as lease_until,
  null::integer as timeout_seconds,
  '00000000-0000-0000-0000-000000000000'::uuid as correlation_id,
  null::uuid as parent_correlation_id,
  '{}'::jsonb as headers,
  '{}'::jsonb as inputs,
  null::jsonb as checkpoint,
  null::text as last_error,
  null::jsonb as context,
  null::jsonb as parent_results,
  null::jsonb as kept
where false;

comment on view tasker.claimed_steps is
  'Row type: a claimed step with all that its handler needs.';
comment on column tasker.claimed_steps.claim_no is
  'Send this number with the result, because complete_steps and fail_steps refuse the number of another claim.';
comment on column tasker.claimed_steps.attempt is
  'This attempt''s number, from 1.';
comment on column tasker.claimed_steps.last_error is
  'The error of the previous attempt. Null on the first attempt.';
comment on column tasker.claimed_steps.inputs is
  'The step''s inputs. A compensation has the result of the step that it undoes in result, or result_omitted if that result is too large for a claim of so many steps. The function tasker.get_parent_results(step_uuid) returns it.';
comment on column tasker.claimed_steps.context is
  'The task''s context. Null if the context is too large for a claim of so many steps. The function tasker.get_task(task_uuid) returns it.';
comment on column tasker.claimed_steps.parent_results is
  'The results of the parents that succeeded, by the parents'' names. Null if the results are too large for a claim of so many steps. The function tasker.get_parent_results(step_uuid) returns them.';
comment on column tasker.claimed_steps.kept is
  'The round of a durable function, the count of its kept results, and these results in order. Null if no function has kept a result. The field results is null if the results are too large for a claim of so many steps. The function tasker.get_kept_results(step_uuid) returns them.';
-- <<<

-- >>> db/schema/rows/kernel/result/step_answers.sql
create or replace view tasker.step_answers as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  'completed'::tasker.result_answer as answer,
  null::timestamptz as next_retry_at
where false;

comment on view tasker.step_answers is
  'Row type: the answer to one step''s result.';
comment on column tasker.step_answers.answer is
  'completed; retrying; failed; recorded (an orchestrator will process the result); already_complete; stale (the claim is no longer the current one); cancelled; too_large; not_found; busy (another transaction holds the task, so that the worker should send the result again).';
-- <<<

-- >>> db/schema/rows/kernel/claim/step_leases.sql
create or replace view tasker.step_leases as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  'extended'::tasker.lease_answer as answer,
  null::timestamptz as lease_until
where false;

comment on view tasker.step_leases is
  'Row type: the answer to the renewal of one step''s lease.';
comment on column tasker.step_leases.answer is
  'extended; stale (the claim is no longer the current one, or has its result); cancelled; not_found; busy (another transaction holds the step at the moment).';
-- <<<

-- >>> db/schema/rows/kernel/claim/step_exchanges.sql
create or replace view tasker.step_exchanges as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  null::tasker.result_answer as answer,
  null::timestamptz as next_retry_at,
  null::uuid as task_uuid,
  null::integer as step_no,
  null::text as namespace,
  null::text as task_name,
  null::text as task_version,
  null::text as name,
  null::text as handler,
  null::integer as attempt,
  null::integer as max_attempts,
  null::integer as lost_count,
  null::integer as priority,
  null::timestamptz as lease_until,
  null::integer as timeout_seconds,
  null::uuid as correlation_id,
  null::uuid as parent_correlation_id,
  null::jsonb as headers,
  null::jsonb as inputs,
  null::jsonb as checkpoint,
  null::text as last_error,
  null::jsonb as context,
  null::jsonb as parent_results,
  null::jsonb as kept
where false;

comment on view tasker.step_exchanges is
  'Row type: the reply to an exchange. First a row of tasker.step_answers for each result, then a row of tasker.claimed_steps for each claimed step.';
comment on column tasker.step_exchanges.answer is
  'Null in the rows of claimed steps.';
-- <<<

-- >>> db/schema/rows/kernel/claim/parent_results.sql
create or replace view tasker.parent_results as
select
  0::integer as step_no,
  ''::text as name,
  null::jsonb as results,
  null::text as map
where false;

comment on view tasker.parent_results is
  'Row type: the result of one of a step''s parents.';

comment on column tasker.parent_results.map is
  'The parent that is a map, if this row is one element of the map. Null for any other parent.';
-- <<<

-- >>> db/schema/rows/operate/workers/worker_details.sql
create or replace view tasker.worker_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as worker_uuid,
  ''::text as name,
  '{}'::text[] as namespaces,
  '-infinity'::timestamptz as registered_at,
  '-infinity'::timestamptz as last_seen_at,
  0::bigint as claimed_count,
  ''::text as login,
  null::text as role,
  null::text as version
where false;

comment on view tasker.worker_details is
  'Row type: a worker process as lists show it.';
-- <<<

-- >>> db/schema/rows/compat/orchestrator/orchestration_reports.sql
create or replace view tasker.orchestration_reports as
select
  0::integer as requests_processed,
  0::integer as timers_fired,
  0::integer as tasks_advanced,
  0::integer as steps_recovered,
  0::integer as results_processed,
  null::timestamptz as next_due_at
where false;

comment on view tasker.orchestration_reports is
  'Row type: the report of one call of tasker.orchestrate.';
comment on column tasker.orchestration_reports.timers_fired is
  'The number of timers that the call fired, including the notes of tasks that direct calls have changed.';
comment on column tasker.orchestration_reports.tasks_advanced is
  'The number of tasks with a deferred start that the call started.';
comment on column tasker.orchestration_reports.next_due_at is
  'The time when the next work is due. The time is now or in the past if some work is due already. Null if no work is scheduled.';
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_isolation.sql
create or replace function tasker.check_isolation()
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception using
      errcode = 'TK409',
      message = format('this function does not run in a transaction of isolation level %s', current_setting('transaction_isolation')),
      detail  = 'It must see what other transactions commit while it runs.',
      hint    = 'Call it in READ COMMITTED, preferably in its own transaction.';
  end if;
end;
$$;

comment on function tasker.check_isolation is
$$Raises TK409 unless the transaction is READ COMMITTED, because the engine must see the commits of other transactions.$$;
-- <<<

-- >>> db/schema/functions/kernel/notify/mark_sleeping.sql
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
-- <<<

-- >>> db/schema/functions/kernel/notify/mark_awake.sql
create or replace function tasker.mark_awake(p_sleeper_uuid uuid, p_channels text[])
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
begin
  perform tasker.refuse_recovery();
  perform tasker.check_bound_namespaces(array(
    select split_part(u.channel, '.', 2)
      from unnest(p_channels) as u (channel)
     where u.channel like 'tasker\_steps\_ready.%'
  ));
  delete from tasker.sleepers as s
   where s.channel = any (p_channels)
     and s.sleeper_uuid = p_sleeper_uuid;
  return found;
end;
$$;

comment on function tasker.mark_awake is
$$Deletes the mark of mark_sleeping, so that transactions stop notifying for this client. Returns true if there was a mark. A client that has work and does not sleep calls this function. After a crash of the client the mark expires.

Idempotent. Locks the client's own rows of tasker.sleepers. Raises TK403 for a namespace that the caller is not bound to.$$;

grant execute on function tasker.mark_awake
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
-- <<<

-- >>> db/schema/functions/kernel/notify/open_writers.sql
create or replace function tasker.open_writers(p_writers bigint[] default null)
  returns bigint[]
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_own      bigint;
  v_snapshot pg_snapshot;
begin
  perform tasker.check_isolation();
  if p_writers is null then
    -- Take a transaction number first. It is higher than the number of every transaction that may have queried before
    -- the mark was committed.
    v_own := pg_current_xact_id()::text::bigint;
    select pg_current_snapshot() into v_snapshot;
    -- A snapshot lists the running transactions below its xmax. The transactions from xmax up to our number are also
    -- running, because xmax follows the newest transaction that has ended.
    return array(
      select x.xid::text::bigint
        from pg_snapshot_xip(v_snapshot) as x (xid)
       where x.xid::text::bigint < v_own
      union all
      select g.xid
        from generate_series(pg_snapshot_xmax(v_snapshot)::text::bigint, v_own - 1) as g (xid)
    );
  end if;

  select pg_current_snapshot() into v_snapshot;
  return array(
    select u.xid
      from unnest(p_writers) as u (xid)
     where not pg_visible_in_snapshot(u.xid::text::xid8, v_snapshot)
  );
end;
$$;

comment on function tasker.open_writers is
$$Returns the transactions that were running when the caller fell asleep. These transactions may have queried sleepers
before the caller's mark was committed, and so end without a notification. Given the answer of an earlier call, returns
the transactions of this answer that are still running. A client queries again when one of these transactions has ended.

Takes a transaction number. Call this function in its own transaction, after the transaction of mark_sleeping. Locks
nothing. Raises TK409 above READ COMMITTED.$$;

grant execute on function tasker.open_writers
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_limit.sql
create or replace function tasker.check_limit(p_limit integer, p_maximum integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit is null or p_limit not between 1 and p_maximum then
    raise exception using
      errcode = 'TK422',
      message = format('a limit of %s is out of range', coalesce(p_limit::text, 'null')),
      hint    = format('It must be from 1 to %s.', p_maximum);
  end if;
end;
$$;

comment on function tasker.check_limit is
$$Raises TK422 unless a limit is from 1 to p_maximum.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_namespace_exists.sql
create or replace function tasker.check_namespace_exists(p_namespace text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from tasker.task_namespaces as n where n.name = p_namespace) then
    raise exception using
      errcode = 'TK404',
      message = format('namespace %s does not exist', coalesce('"' || left(p_namespace, 100) || '"', 'null')),
      hint    = 'Register it with tasker.register_namespace(name), or a template in it.';
  end if;
end;
$$;

comment on function tasker.check_namespace_exists is
$$Raises TK404 if there is no such namespace.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_claim.sql
create or replace function tasker.check_claim(p_worker_uuid uuid, p_limit integer, p_lease_seconds integer)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.refuse_recovery();
  perform tasker.check_isolation();
  if p_worker_uuid is null then
    raise exception using
      errcode = 'TK422',
      message = 'a claim names no worker',
      hint    = 'Pass any UUID that this process keeps, such as one of gen_random_uuid().';
  end if;
  if p_limit is null or p_limit not between 0 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 0 and 1000', coalesce(p_limit::text, 'null')),
      hint    = 'Claim at most 1000 steps in a call.';
  end if;
  if p_lease_seconds not between 1 and 86400 then
    raise exception using
      errcode = 'TK422',
      message = format('a lease cannot last %s seconds', p_lease_seconds),
      hint    = 'A lease lasts 1 to 86400 seconds; null means the setting "lease_seconds".';
  end if;
end;
$$;

comment on function tasker.check_claim is
$$Raises TK422 if a claim names no worker, or its limit or its lease is out of range, TK409 above READ COMMITTED.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/worker_namespaces.sql
create or replace function tasker.worker_namespaces(p_worker tasker.workers)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.narrowed(
    nullif(p_worker.namespaces, '{}'),
    tasker.narrowed(
      p_worker.may_serve,
      tasker.narrowed(tasker.named_role_namespaces(p_worker.login), tasker.named_role_namespaces(p_worker.role))
    )
  );
end;
$$;

comment on function tasker.worker_namespaces is
$$Returns the namespaces that a worker may serve. These are the namespaces that the worker named when it registered, if the worker's session was allowed to work in them then and the worker's login role and set role may work in them now. Null means all namespaces.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_worker.sql
create or replace function tasker.check_worker(p_worker_uuid uuid, p_as_operator boolean default false)
  returns void
  language plpgsql
as $$
declare
  v_worker     tasker.workers;
  v_bound      text[];
  v_namespaces text[];
begin
  select w.*
    into v_worker
    from tasker.workers as w
   where w.worker_uuid = p_worker_uuid;
  if v_worker.login is null or (v_worker.login, v_worker.role) is not distinct from (session_user::text, tasker.set_role()) then
    return;
  end if;
  if p_as_operator and pg_has_role(tasker.caller_name(), 'tasker_operator', 'member') then
    v_bound := tasker.bound_namespaces();
    v_namespaces := tasker.worker_namespaces(v_worker);
    if v_bound is null or v_namespaces <@ v_bound and v_namespaces <> '{}' then
      return;
    end if;
  end if;
  perform tasker.raise_other_worker(p_worker_uuid);
end;
$$;

comment on function tasker.check_worker is
$$Raises TK403 if another role has registered the worker of this UUID. With p_as_operator (for calls other than claims), an operator may act for the worker if the operator's namespaces include all namespaces that the worker may serve.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/check_step_claims.sql
create or replace function tasker.check_step_claims(p_step_uuids uuid[], p_claim_nos integer[])
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps constant integer := coalesce(cardinality(p_step_uuids), 0);
begin
  if coalesce(cardinality(p_claim_nos), 0) <> v_steps
     or array_ndims(p_step_uuids) > 1
     or array_ndims(p_claim_nos) > 1
     or array_position(p_step_uuids, null) is not null
     or array_position(p_claim_nos, null) is not null then
    raise exception using
      errcode = 'TK422',
      message = 'steps and claim numbers do not match',
      detail  = format('%s steps, %s claim numbers, none of which may be null.', v_steps, coalesce(cardinality(p_claim_nos), 0)),
      hint    = 'Pass for each step the claim number that its claim returned.';
  end if;
  if v_steps > 10000 then
    raise exception using
      errcode = 'TK413',
      message = format('%s steps are too many for one call', v_steps),
      hint    = 'Send at most 10,000 at once.';
  end if;
  if v_steps > 1 then
    if (select count(distinct u.step_uuid) from unnest(p_step_uuids) as u (step_uuid)) < v_steps then
      raise exception using
        errcode = 'TK422',
        message = 'a call names the same step twice',
        hint    = 'Send one result for each claimed step.';
    end if;
  end if;
end;
$$;

comment on function tasker.check_step_claims is
$$Raises TK422 if a step is named twice or has no claim number, TK413 for more than 10,000 steps.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/check_step_results.sql
create or replace function tasker.check_step_results(
  p_steps               integer,
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     double precision[],
  p_execution_times_ms  bigint[]
)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  -- A nested "if" is needed, because PostgreSQL runs a condition that contains a query as a query, even after "false
  -- and".
  v_problem := case
    when cardinality(p_results) <> p_steps then format('%s results', cardinality(p_results))
    when cardinality(p_errors) <> p_steps then format('%s errors', cardinality(p_errors))
    when cardinality(p_permanent) <> p_steps then format('%s marks of permanence', cardinality(p_permanent))
    when cardinality(p_backoff_seconds) <> p_steps then format('%s backoffs', cardinality(p_backoff_seconds))
    when cardinality(p_execution_times_ms) <> p_steps then format('%s execution times', cardinality(p_execution_times_ms))
  end;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = format('%s do not match %s steps', v_problem, p_steps),
      hint    = 'Each array is null or has one element for each step.';
  end if;

  -- All errors together are seldom longer than a single error may be.
  if length(array_to_string(p_errors, '')) > 65536 then
    if exists (select from unnest(p_errors) as u (error) where length(u.error) > 65536) then
      raise exception using
        errcode = 'TK413',
        message = 'an error is longer than 65,536 characters',
        hint    = 'Describe the failure in a few lines, and store the rest elsewhere.';
    end if;
  end if;
  if 0 > any (p_backoff_seconds) or 31536000 < any (p_backoff_seconds) then
    raise exception using
      errcode = 'TK422',
      message = 'a backoff is below 0 seconds or above a year',
      hint    = 'A backoff is from 0 to 31536000 seconds; null means the policy.';
  end if;
  if 0 > any (p_execution_times_ms) then
    raise exception using
      errcode = 'TK422',
      message = 'an execution time is below 0',
      hint    = 'Execution times are milliseconds; null means unknown.';
  end if;
end;
$$;

comment on function tasker.check_step_results is
$$Raises TK422 if an array is not null and does not have an element for each step, or if a number is out of range.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/claimable_namespaces.sql
create or replace function tasker.claimable_namespaces(p_namespaces text[])
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[];
begin
  if tasker.is_scoped() or exists (select from tasker.role_bindings) then
    v_bound := tasker.bound_namespaces();
    perform tasker.check_bound_namespaces(p_namespaces);
  end if;
  if p_namespaces is not null then
    perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
    perform tasker.check_namespace_exists(u.namespace)
       from unnest(p_namespaces) as u (namespace);
  end if;

  return array(
    select n.name
      from tasker.task_namespaces as n
     where n.paused_at is null
       and (p_namespaces is null or n.name = any (p_namespaces))
       and (v_bound is null or n.name = any (v_bound))
  );
end;
$$;

comment on function tasker.claimable_namespaces is
$$Returns the namespaces among these, or among all if null, that are not paused and that the caller's role may work in. Raises TK404 if a namespace does not exist, TK403 if the role is bound to other namespaces.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/leases_heard_since.sql
create or replace function tasker.leases_heard_since()
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- A standby cannot read an unlogged table, and ends no leases.
  if pg_is_in_recovery() then
    return pg_postmaster_start_time();
  end if;
  return greatest(
    pg_postmaster_start_time(),
    coalesce((select min(c.heard_since) from tasker.lease_clock as c), tasker.clock())
  );
end;
$$;

comment on function tasker.leases_heard_since is
$$Returns the time since which workers have been able to renew their leases. It is the later of two times: the start of the server, and the time in the row that tasker.note_lease_clock writes, which crash recovery and a promotion delete. Without that row it is the current time. Tests replace this function.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/note_lease_clock.sql
create or replace function tasker.note_lease_clock()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- No lock prevents a second row, because a session that held such a lock could keep all leases from ending.
  if not exists (select from tasker.lease_clock as c) then
    insert into tasker.lease_clock default values on conflict do nothing;
  end if;
end;
$$;

comment on function tasker.note_lease_clock is
$$Records that this server is reachable from now on, unless this is already recorded. Claims call this function before they check whether leases have ended.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/lock_schedules.sql
create or replace function tasker.lock_schedules(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return array(
    select u.task_uuid
      from unnest(p_task_uuids) as u (task_uuid)
     cross join lateral (
       select count(*) as rows from tasker.timers as m where m.task_uuid = u.task_uuid
     ) as timers
     cross join lateral (
       select count(*) as rows
         from (select from tasker.timers as m where m.task_uuid = u.task_uuid for update skip locked) as m
     ) as locked_timers
     cross join lateral (
       select count(*) as rows from tasker.waiting_tasks as w where w.task_uuid = u.task_uuid
     ) as waiting
     cross join lateral (
       select count(*) as rows
         from (select from tasker.waiting_tasks as w where w.task_uuid = u.task_uuid for update skip locked) as w
     ) as locked_waiting
     where locked_timers.rows = timers.rows
       and locked_waiting.rows = waiting.rows
  );
end;
$$;

comment on function tasker.lock_schedules is
$$Locks the timers of tasks and their rows in waiting_tasks. Returns the tasks whose rows are all locked now. Never waits for a lock, because a claim that fires timers holds such rows, including those of busy tasks, until it commits. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/lock_tasks.sql
create or replace function tasker.lock_tasks(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tasks  uuid[] := array(select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid) order by u.task_uuid);
  v_locked uuid[];
begin
  -- Tasks and steps are always locked "for no key update", which is the lock of an update.
  select coalesce(array_agg(t.task_uuid), '{}')
    into v_locked
    from unnest(v_tasks) as u (task_uuid)
   cross join lateral (
     select t.task_uuid
       from tasker.tasks as t
      where t.task_uuid = u.task_uuid
        and t.task_uuid between v_tasks[1] and v_tasks[cardinality(v_tasks)]
        for no key update skip locked
   ) as t;
  return tasker.lock_schedules(v_locked);
end;
$$;

comment on function tasker.lock_tasks is
$$Locks the tasks that exist and that no other transaction holds, in the order of their UUIDs. Returns the locked tasks.

A call that holds a step, a queue row or a timer must not wait for a task, nor later for the task's timers. So a task also counts as held if another transaction holds its timers or its row in waiting_tasks. The caller must read the tasks in a new statement, because a statement's snapshot is older than its locks. tasker.task_facts waits for the locks instead.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/lock_steps.sql
create or replace function tasker.lock_steps(p_task_uuids uuid[], p_step_nos integer[])
  returns boolean[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select array_agg(s.locked is not null order by u.position)
      from unnest(p_task_uuids, p_step_nos) with ordinality as u (task_uuid, step_no, position)
      left join lateral (
        select true as locked
          from tasker.workflow_steps as s
         where s.task_uuid = u.task_uuid
           and s.step_no = u.step_no
           for no key update skip locked
      ) as s
        on true
  );
end;
$$;

comment on function tasker.lock_steps is
$$Locks the given steps, except steps that another transaction holds. Returns for each step whether it was locked. A transaction that holds a step without its task must not wait for another step.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/step_is_open.sql
create or replace function tasker.step_is_open(p_state tasker.step_state)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select (p_state not in ('complete', 'error', 'cancelled', 'resolved_manually'))::integer;
end;

comment on function tasker.step_is_open is
$$Returns 1 if a step in this state is neither done nor failed, otherwise 0. Repeats a column of tasker.step_states for statements in which a query for each step would cost too much. A test compares the function with the table. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/step_is_active.sql
create or replace function tasker.step_is_active(p_state tasker.step_state)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select (p_state in ('enqueued', 'in_progress', 'enqueued_for_orchestration', 'enqueued_as_error_for_orchestration'))::integer;
end;

comment on function tasker.step_is_active is
$$Returns 1 if a step in this state is in the processing pipeline, otherwise 0. Repeats a column of tasker.step_states for statements in which a query for each step would cost too much. A test compares the function with the table. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/failure_policy.sql
create or replace function tasker.failure_policy(p_on_failure text, p_undo jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_undo is null then p_on_failure
    when p_undo ? 'phase' then p_undo ->> 'phase'
    when p_on_failure = 'fail' then 'fail_undo'
    else p_on_failure
  end;
end;

comment on function tasker.failure_policy is
$$Returns the policy for a task's failures: the policy of its template or, during an undo, the phase of the undo ("drain" or "undo"). The policy "fail_undo" means that the task fails by itself, but has something to undo first.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/task_is_blocked.sql
create or replace function tasker.task_is_blocked(p_state tasker.task_state, p_on_failure text, p_undo jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_state = 'blocked_by_failures' and tasker.failure_policy(p_on_failure, p_undo) <> 'fail_undo';
end;

comment on function tasker.task_is_blocked is
$$Returns true if a task waits for an operator. A task that has something to undo, and whose template says on_failure: fail, is in the state blocked_by_failures only until its note about the undo is processed. Such a task does not wait for an operator.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/task_outcome.sql
create or replace function tasker.task_outcome(
  p_open_steps       integer,
  p_active_steps     integer,
  p_retrying_steps   integer,
  p_suspended_steps  integer,
  p_failed_steps     integer,
  p_enqueued         boolean,
  p_on_failure       text
)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_on_failure = 'drain' and (p_active_steps = 0 or p_retrying_steps + p_suspended_steps > 0) then 'undo'
    when p_active_steps > 0 and p_enqueued then 'enqueued'
    when p_active_steps > 0 then 'running'
    when p_retrying_steps > 0 then 'retrying'
    -- A step that waits can still move, and a failed branch does not block it.
    when p_suspended_steps > 0 then 'waiting'
    when p_failed_steps > 0 then case when p_on_failure = 'fail' then 'failed' else 'blocked' end
    when p_open_steps > 0 then 'waiting'
    when p_on_failure = 'undo' then 'undo'
    else 'complete'
  end;
end;

comment on function tasker.task_outcome is
$$Returns the outcome of the evaluation of a task, from the task's counters. Every evaluation uses this function. p_enqueued is true if steps of the task have just been enqueued. With p_on_failure "drain" or "undo", the next part of the undo is due when no step moves. With p_on_failure "fail", a task that only an operator could move fails instead of being blocked. tasker.task_paths maps the outcome to transitions.$$;
-- <<<

-- >>> db/schema/functions/kernel/lock/private/lock_task_facts.sql
create or replace function tasker.lock_task_facts(p_task_uuid uuid)
  returns tasker.task_facts
  language plpgsql
as $$
declare
  v_task tasker.task_facts;
begin
  -- A locking query returns the newest version of the row, whatever the snapshot of the statement is.
  select
    t.task_uuid, k.namespace, k.transport, t.named_task_uuid, t.has_added_edges, tasker.failure_policy(k.on_failure, t.undo),
    t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
    t.parent_step_uuid, t.undo, t.total_steps, k.runs is not null
    into v_task
    from (
      select
        t.task_uuid, t.named_task_uuid, t.has_added_edges,
        t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
        t.parent_step_uuid, t.undo, t.total_steps
        from tasker.tasks as t
       where t.task_uuid = p_task_uuid
         for no key update
    ) as t
    join tasker.creation_plans as k
      on k.named_task_uuid = t.named_task_uuid;
  return v_task;
end;
$$;

comment on function tasker.lock_task_facts is
$$Locks a task and returns its facts. All facts are null if the task does not exist. tasker.task_facts does the same for many tasks.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/result_state.sql
create or replace function tasker.result_state(
  p_failed        boolean,
  p_permanent     boolean,
  p_retryable     boolean,
  p_attempts      integer,
  p_max_attempts  integer
)
  returns tasker.step_state
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when not p_failed then 'complete'::tasker.step_state
    when p_permanent or not p_retryable or p_attempts >= p_max_attempts then 'error'::tasker.step_state
    else 'waiting_for_retry'::tasker.step_state
  end;
end;

comment on function tasker.result_state is
$$Returns the state of a step after a result: "complete", "error" (failed for good) or "waiting_for_retry".$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/execution_ms.sql
create or replace function tasker.execution_ms(p_given bigint, p_claimed_at timestamptz, p_ended_at timestamptz)
  returns bigint
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(
    nullif(p_given, 0), least(greatest(0, extract(epoch from p_ended_at - p_claimed_at) * 1000), 999999999)::bigint
  );
end;

comment on function tasker.execution_ms is
$$Returns how long a handler ran, in milliseconds: the time that its worker reports, otherwise the time since the claim, or 0.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/retry_at.sql
create or replace function tasker.retry_at(
  p_now              timestamptz,
  p_settings         tasker.settings_now,
  p_attempts         integer,
  p_backoff_seconds  double precision,
  p_base_seconds     numeric,
  p_multiplier       numeric,
  p_max_seconds      integer
)
  returns timestamptz
  language plpgsql
  volatile
as $$
begin
  return p_now + make_interval(secs => coalesce(
    p_backoff_seconds::numeric,
    tasker.backoff_seconds(
      p_attempts,
      coalesce(p_base_seconds, p_settings.backoff_base),
      coalesce(p_multiplier, p_settings.backoff_multiplier),
      coalesce(p_max_seconds, p_settings.max_backoff_seconds)
    ) * (1 - p_settings.backoff_jitter * random()::numeric)
  )::double precision);
end;
$$;

comment on function tasker.retry_at is
$$Returns the time at which a step that has just failed is retried: after the number of seconds that its worker has requested, otherwise as the policy of its template or the settings say, minus the jitter.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/child_state.sql
create or replace function tasker.child_state(
  p_state              tasker.step_state,
  p_join_mode          text,
  p_total_parents      integer,
  p_pending_parents    integer,
  p_satisfied_parents  integer,
  p_halted             boolean,
  p_awaits             boolean
)
  returns tasker.step_state
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_state <> 'pending' or p_pending_parents > 0 and not (p_join_mode = 'first' and p_satisfied_parents > 0)
      then null::tasker.step_state
    when not tasker.join_holds(p_join_mode, p_total_parents, p_pending_parents, p_satisfied_parents)
      then 'cancelled'::tasker.step_state
    when p_halted then null
    when p_awaits then 'suspended'::tasker.step_state
    else 'enqueued'::tasker.step_state
  end;
end;

comment on function tasker.child_state is
$$Returns the next state of a step from its parents' outcomes: enqueued or, without a handler, suspended, if the step's join holds and its task does not halt. It is cancelled (skipped) if its join can no longer hold. Returns null if the step stays in its state.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/ready_event.sql
create or replace function tasker.ready_event(p_state tasker.step_state)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case p_state
    when 'enqueued' then 'Enqueue'
    when 'suspended' then 'Suspend'
    when 'cancelled' then 'Skip'
  end;
end;

comment on function tasker.ready_event is
$$Returns the event by which a pending step whose parents have settled goes to the state that tasker.child_state returns. Returns null if the step stays pending.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/attempts_after.sql
create or replace function tasker.attempts_after(p_event text, p_from_state tasker.step_state, p_attempts integer)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_event = 'Start' or p_event = 'WaitForRetry' and p_from_state = 'suspended' then p_attempts + 1
    when p_event in ('Release', 'LeaseExpired') or p_event = 'Suspend' and p_from_state not in ('pending', 'waiting_for_retry')
      then greatest(p_attempts - 1, 0)
    when p_event in ('Retry', 'Reset') and p_from_state = 'error' or p_event = 'Rerun' then 0
    else p_attempts
  end;
end;

comment on function tasker.attempts_after is
$$Returns the number of a step's attempts after an event. A start adds one attempt, and so does the failure of the task that the step waits for. A release, a lost worker or a suspension subtracts one. An operator's restart sets the attempts to 0.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/was_waiting.sql
create or replace function tasker.was_waiting(p_event text, p_metadata jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_event = 'LeaseExpired' and p_metadata ->> 'begun' = 'false', false);
end;

comment on function tasker.was_waiting is
$$Returns whether an event means that a worker was lost before it had begun the step.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/lost_after.sql
create or replace function tasker.lost_after(p_event text, p_from_state tasker.step_state, p_lost_count integer, p_metadata jsonb)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_event = 'LeaseExpired' then p_lost_count + (not tasker.was_waiting(p_event, p_metadata))::integer
    when p_event in ('Retry', 'Reset') and p_from_state = 'error' or p_event = 'Rerun' then 0
    else p_lost_count
  end;
end;

comment on function tasker.lost_after is
$$Returns how many workers a step has lost after this event. A worker that had not begun the step does not count.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/logged_worker.sql
create or replace function tasker.logged_worker(p_event text, p_given uuid, p_holder uuid)
  returns uuid
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_given, case when p_event in ('EnqueueForOrchestration', 'Release', 'LeaseExpired') then p_holder end);
end;

comment on function tasker.logged_worker is
$$Returns the worker that the log names for a transition: the given worker, or the step's own worker if a worker caused the event.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/next_claim_no.sql
create or replace function tasker.next_claim_no(p_claim_no integer)
  returns integer
  language sql
  volatile
  parallel restricted
begin atomic
  -- Grow by at most 2^20, so that about 2,000 claims use half of the range. From there on, grow by an ever smaller part
  -- of the rest. After the largest integer, begin again.
  select p_claim_no % 2147483647 + 1 + floor(random() * case
    when p_claim_no % 2147483647 < 1073741824 then 1048576
    else (2147483647 - p_claim_no) / 65536
  end)::integer;
end;

comment on function tasker.next_claim_no is
$$Returns the next claim number, which is larger by a random amount. After the largest integer it returns one of the first numbers. So if the database lost a claim in a failover or a crash, the next claim of the step has another number than the lost claim.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/result_digest.sql
create or replace function tasker.result_digest(p_result jsonb)
  returns bytea
  language sql
  stable
  parallel safe
begin atomic
  -- The function is not immutable, because convert_to() is not. If it were, PostgreSQL would not inline it, and would
  -- start the executor for each call.
  select substr(sha256(convert_to(p_result::text, 'UTF8')), 1, 8);
end;

comment on function tasker.result_digest is
$$Returns the first 8 bytes of a result's SHA-256. The log keeps these bytes, so that a result that was changed by hand can be detected.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/task_stays.sql
create or replace function tasker.task_stays(p_outcome text, p_state tasker.task_state)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select case p_outcome
    when 'running' then p_state = 'steps_in_process'
    when 'retrying' then p_state = 'waiting_for_retry'
    when 'blocked' then p_state = 'blocked_by_failures'
    when 'waiting' then p_state = 'waiting_for_dependencies'
    else false
  end;
end;

comment on function tasker.task_stays is
$$Returns true if a task in this state stays in it with this outcome. Then tasker.task_paths has no path. A test compares this function with that table.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/task_move_metadata.sql
create or replace function tasker.task_move_metadata(
  p_position     integer,
  p_start_state  tasker.task_state,
  p_event        text,
  p_moved        integer[],
  p_enqueued     integer[],
  p_failed       integer,
  p_error        text
)
  returns jsonb
  language sql
  stable
  parallel safe
begin atomic
  -- The function has no query, and is stable like jsonb_build_object, so that it is inlined. A call would cost more
  -- than the work of the function.
  select case
    -- The engine never stops in these states, so the processor that left the task in such a state no longer exists.
    when p_position = 1 and p_start_state in ('initializing', 'enqueuing_steps', 'evaluating_results')
      then '{"event": "ProcessorCrashed"}'::jsonb
    when p_event in ('StepCompleted', 'StepFailed') and p_moved is not null
      then jsonb_build_object('count', cardinality(p_moved), 'step_nos', p_moved[:100])
    when p_event = 'ReadyStepsFound'
      then jsonb_build_object('count', cardinality(p_enqueued))
    when p_event = 'StepsEnqueued'
      then jsonb_build_object('count', cardinality(p_enqueued), 'step_nos', p_enqueued[:100])
    when p_event = 'GiveUp'
      then '{"on_failure": "fail"}'::jsonb
    when p_event = 'PermanentFailure'
      then jsonb_strip_nulls(jsonb_build_object('count', p_failed, 'error', left(p_error, 1000)))
  end;
end;

comment on function tasker.task_move_metadata is
$$Returns the metadata for a task's event in the log: the number of steps that became ready, the numbers of the steps that were enqueued (p_enqueued) and of the steps whose end caused the event (p_moved), and the number of failed steps with an error. Lists at most a hundred step numbers.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_move.sql
create or replace function tasker.write_move(p_move tasker.step_moves, p_namespace text)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_now    timestamptz := tasker.write_clock();
  v_login  text        := session_user;
  v_role   text        := tasker.set_role();
  v_worker uuid;
  v_same   boolean; -- whether the caller is the same as in the previous row of the log
  v_ok     text;    -- an assignment, unlike PERFORM, starts no executor
begin
  -- There are two statements, because each column costs time even in a call that does not change it.
  if p_move.event = 'Start' then
    update tasker.workflow_steps as s
       set state             = p_move.to_state,
           transition_count  = s.transition_count + 1,
           moved_at          = greatest(s.moved_at, v_now),
           claim_no          = p_move.claim_no,
           attempts          = tasker.attempts_after('Start', p_move.from_state, s.attempts),
           worker_uuid       = p_move.worker_uuid,
           claim_login       = v_login,
           claim_role        = v_role,
           last_attempted_at = v_now,
           lease_until       = p_move.lease_until,
           lease_seconds     = ceil(extract(epoch from p_move.lease_until - v_now))::integer
     where s.task_uuid = p_move.task_uuid
       and s.step_no = p_move.step_no
       and s.state = p_move.from_state
    returning
      s.transition_count, s.claim_no, s.priority, s.named_step_uuid, s.moved_at, s.worker_uuid,
      false,
      s.effects
      into
      p_move.transition_count, p_move.claim_no, p_move.priority, p_move.named_step_uuid, p_move.moved_at, v_worker,
      v_same, p_move.effects;
  else
    update tasker.workflow_steps as s
       set state             = p_move.to_state,
           transition_count  = s.transition_count + num_nonnulls(p_move.first_event, p_move.event),
           moved_at          = greatest(s.moved_at, v_now),
           attempts          = tasker.attempts_after(p_move.event, p_move.from_state, s.attempts),
           lost_count        = tasker.lost_after(p_move.event, p_move.from_state, s.lost_count, p_move.metadata),
           lease_until       = null,
           next_retry_at     = p_move.next_retry_at,
           backoff_request_seconds = case coalesce(p_move.via_state, p_move.to_state)
             when 'enqueued_as_error_for_orchestration' then p_move.backoff_seconds
             when 'pending' then null
             else s.backoff_request_seconds
           end,
           last_failure_at   = case
             when coalesce(p_move.via_state, p_move.to_state) = 'enqueued_as_error_for_orchestration'
                  or p_move.event = 'Fail' and (p_move.error is not null or p_move.from_state <> 'enqueued_as_error_for_orchestration')
               then v_now
             else s.last_failure_at
           end,
           last_error        = coalesce(p_move.error, s.last_error),
           results           = coalesce(p_move.result, s.results),
           processed_at      = case
             when p_move.event is null then s.processed_at
             when p_move.to_state in ('complete', 'resolved_manually') then v_now
           end
     where s.task_uuid = p_move.task_uuid
       and s.step_no = p_move.step_no
       and s.state = p_move.from_state
       and s.claim_no = coalesce(p_move.held_claim_no, s.claim_no)
    returning
      s.transition_count, s.claim_no, s.priority, s.named_step_uuid, s.moved_at, s.worker_uuid,
      p_move.from_state = 'in_progress' and s.claim_login = v_login and s.claim_role is not distinct from v_role,
      s.effects
      into
      p_move.transition_count, p_move.claim_no, p_move.priority, p_move.named_step_uuid, p_move.moved_at, v_worker,
      v_same, p_move.effects;
  end if;
  if not found then
    return null;
  end if;
  -- This column is not in the lists above, because PostgreSQL compiles a "returning" list once for each partition.
  if p_move.effects <> 0 then
    p_move.effects := tasker.effects_of_move(p_move.effects, p_move.from_state, p_move.to_state);
  end if;
  if v_same then
    v_login := null;
    v_role := null;
  end if;

  insert into tasker.step_log (
    task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, actor, login, role, reason, result_digest, metadata,
    created_at
  )
  values (
    p_move.task_uuid, p_move.step_no, p_move.transition_count,
    tasker.step_path(p_move.task_uuid, p_move.step_no, p_move.from_state, p_move.via_state, p_move.event, p_move.to_state),
    p_move.claim_no, p_move.execution_time_ms,
    tasker.logged_worker(coalesce(p_move.first_event, p_move.event), p_move.worker_uuid, v_worker),
    p_move.actor, v_login, v_role, p_move.reason, tasker.result_digest(p_move.result), p_move.metadata, p_move.moved_at
  );

  if tasker.step_is_active(p_move.to_state) = 0 then
    if tasker.step_is_active(p_move.from_state) = 1 then
      delete from tasker.step_queue as q
       where q.task_uuid = p_move.task_uuid
         and q.step_no = p_move.step_no;
    end if;
  elsif tasker.step_is_active(p_move.from_state) = 0 then
    insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
    values (
      p_move.task_uuid, p_move.step_no, p_namespace, tasker.step_lane(p_move.to_state, p_move.priority),
      p_move.named_step_uuid, p_move.claim_no, coalesce(p_move.visible_at, v_now)
    );
  elsif p_move.visible_at is not null then
    update tasker.step_queue as q
       set lane       = tasker.step_lane(p_move.to_state, p_move.priority),
           claim_no   = p_move.claim_no,
           visible_at = p_move.visible_at
     where q.task_uuid = p_move.task_uuid
       and q.step_no = p_move.step_no;
  end if;

  if p_move.to_state = 'waiting_for_retry' then
    insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
    values (p_move.task_uuid, p_move.step_no, 'retry_step', p_move.next_retry_at, p_namespace);
  elsif p_move.from_state = 'waiting_for_retry' then
    delete from tasker.timers as d
     where d.task_uuid = p_move.task_uuid
       and d.step_no = p_move.step_no
       and d.kind = 'retry_step';
  end if;

  if p_move.effects <> 0 then
    v_ok := tasker.moved(array[p_move], p_move.effects);
  end if;

  p_move.worker_uuid := tasker.logged_worker(coalesce(p_move.first_event, p_move.event), p_move.worker_uuid, v_worker);
  return p_move;
end;
$$;

comment on function tasker.write_move is
$$Writes one move by its key: the step, its log, its queue row, its timer and its waits. Returns the move as written, or null if the step has left from_state or is under another claim.

tasker.write_moves does the same for many moves. If the move enqueues the step, p_namespace is the namespace of the queue.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_moves.sql
create or replace function tasker.write_moves(p_moves tasker.step_moves[], p_namespace text)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.write_clock();
  v_login    text        := session_user;
  v_role     text        := tasker.set_role();
  v_moves    tasker.step_moves[];
  v_leaves   boolean;
  v_enters   boolean;
  v_stays    boolean;
  v_waits    boolean;
  v_retries  boolean;
  v_mapped   uuid[];
  v_maps     integer[];
  v_effects  smallint;
  v_ok       text; -- an assignment, unlike PERFORM, starts no executor
begin
  with moved as (
    update tasker.workflow_steps as s
     set state             = m.to_state,
           transition_count  = s.transition_count + num_nonnulls(m.first_event, m.event),
           moved_at          = greatest(s.moved_at, v_now),
           attempts          = tasker.attempts_after(m.event, m.from_state, s.attempts),
           lost_count        = tasker.lost_after(m.event, m.from_state, s.lost_count, m.metadata),
           lease_until       = null,
           next_retry_at     = m.next_retry_at,
           backoff_request_seconds = case coalesce(m.via_state, m.to_state)
             when 'enqueued_as_error_for_orchestration' then m.backoff_seconds
             when 'pending' then null
             else s.backoff_request_seconds
           end,
           last_failure_at   = case
             when coalesce(m.via_state, m.to_state) = 'enqueued_as_error_for_orchestration'
                  or m.event = 'Fail' and (m.error is not null or m.from_state <> 'enqueued_as_error_for_orchestration')
               then v_now
             else s.last_failure_at
           end,
           last_error        = coalesce(m.error, s.last_error),
           results           = coalesce(m.result, s.results),
           processed_at      = case
             when m.event is null then s.processed_at
             when m.to_state in ('complete', 'resolved_manually') then v_now
           end
      from unnest(p_moves) as m
     where s.task_uuid = any (array[m.task_uuid])
       and s.step_no = m.step_no
       and s.state = m.from_state
       and s.claim_no = coalesce(m.held_claim_no, s.claim_no)
    returning
      m.position, m.value, m.task_uuid, m.step_no, m.from_state, m.first_event, m.via_state, m.event, m.to_state, m.next_retry_at,
      m.visible_at, m.execution_time_ms, m.worker_uuid as given_uuid, m.actor, m.reason, m.metadata, m.error,
      s.claim_no, s.worker_uuid, s.transition_count, s.priority, s.named_step_uuid, s.moved_at, tasker.result_digest(m.result) as digest,
      tasker.step_is_active(m.from_state) as was_active, tasker.step_is_active(m.to_state) as is_active,
      -- The caller is compared with the caller in the previous row of the log.
      m.from_state = 'in_progress' and s.claim_login = v_login and s.claim_role is not distinct from v_role as same,
      s.for_each is not null and s.state = 'pending'
        and (s.pending_parents = 0 or s.for_each ? 'max_parallel' and s.expansion ->> 'expanded' <> s.expansion ->> 'elements') as expands,
      case when m.event is not null then tasker.effects_of_move(s.effects, m.from_state, m.to_state) else 0::smallint end as effects
  ),
  logged as (
    insert into tasker.step_log (
      task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, actor, login, role, reason, result_digest,
      metadata, created_at
    )
    select
      m.task_uuid, m.step_no, m.transition_count,
      tasker.step_path(m.task_uuid, m.step_no, m.from_state, m.via_state, m.event, m.to_state),
      m.claim_no, m.execution_time_ms,
      tasker.logged_worker(coalesce(m.first_event, m.event), m.given_uuid, m.worker_uuid),
      m.actor,
      case when not m.same then v_login end,
      case when not m.same then v_role end,
      m.reason, m.digest, m.metadata, m.moved_at
    from moved as m
    where m.event is not null
  )
  select
    array_agg(tasker.step_move(
      p_position => m.position, p_task_uuid => m.task_uuid, p_step_no => m.step_no, p_from_state => m.from_state,
      p_first_event => m.first_event, p_via_state => m.via_state, p_event => m.event, p_to_state => m.to_state,
      p_claim_no => m.claim_no,
      p_worker_uuid => tasker.logged_worker(coalesce(m.first_event, m.event), m.given_uuid, m.worker_uuid),
      p_next_retry_at => m.next_retry_at, p_visible_at => m.visible_at, p_error => m.error,
      p_transition_count => m.transition_count, p_priority => m.priority, p_named_step_uuid => m.named_step_uuid,
      p_moved_at => m.moved_at, p_effects => m.effects, p_value => m.value, p_metadata => m.metadata
    )),
    bool_or(m.was_active > m.is_active),
    bool_or(m.was_active < m.is_active),
    bool_or(m.was_active + m.is_active = 2 and m.visible_at is not null),
    bool_or(m.to_state = 'waiting_for_retry' and m.event is not null),
    bool_or(m.from_state = 'waiting_for_retry' and m.event is not null),
    array_agg(m.task_uuid) filter (where m.expands),
    array_agg(m.step_no) filter (where m.expands),
    bit_or(m.effects)
    into v_moves, v_leaves, v_enters, v_stays, v_waits, v_retries, v_mapped, v_maps, v_effects
    from moved as m;

  if v_leaves then
    delete from tasker.step_queue as q
     using unnest(v_moves) as m
     where q.task_uuid = any (array[m.task_uuid])
       and q.step_no = m.step_no
       and tasker.step_is_active(m.to_state) = 0;
  end if;
  if v_enters then
    -- Insert the steps of one task together, so that they are claimed together.
    insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
    select
      m.task_uuid, m.step_no, coalesce(p_namespace, tasker.namespace_of_task(m.task_uuid)),
      tasker.step_lane(m.to_state, m.priority), m.named_step_uuid, m.claim_no, coalesce(m.visible_at, v_now)
    from unnest(v_moves) as m
    where tasker.step_is_active(m.from_state) = 0
      and tasker.step_is_active(m.to_state) = 1
    order by m.task_uuid, m.step_no;
  end if;
  if v_stays then
    update tasker.step_queue as q
       set lane       = tasker.step_lane(m.to_state, m.priority),
           claim_no   = m.claim_no,
           visible_at = m.visible_at
      from unnest(v_moves) as m
     where q.task_uuid = any (array[m.task_uuid])
       and q.step_no = m.step_no
       and tasker.step_is_active(m.from_state) = 1
       and tasker.step_is_active(m.to_state) = 1
       and m.visible_at is not null;
  end if;
  if v_waits then
    insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
    select m.task_uuid, m.step_no, 'retry_step', m.next_retry_at, coalesce(p_namespace, tasker.namespace_of_task(m.task_uuid))
      from unnest(v_moves) as m
     where m.to_state = 'waiting_for_retry';
  end if;
  if v_retries then
    delete from tasker.timers as d
     using unnest(v_moves) as m
     where d.task_uuid = any (array[m.task_uuid])
       and d.step_no = m.step_no
       and d.kind = 'retry_step'
       and m.from_state = 'waiting_for_retry';
  end if;
  if v_maps is not null then
    perform tasker.maps_ready(v_mapped, v_maps);
  end if;
  if v_effects <> 0 then
    v_ok := tasker.moved(v_moves, v_effects);
  end if;
  return coalesce(v_moves, '{}');
end;
$$;

comment on function tasker.write_moves is
$$Writes moves of any number of steps, one statement for each table: the steps, their log, their queue rows, their timers, their waits, the notes of maps. Returns the written moves, but omits moves of steps that have left from_state or are under another claim.

tasker.write_starts writes starts, and tasker.settle_children writes the counters of children. The steps are locked in the order of the moves, which must be the order of their keys. p_namespace is the namespace in whose queue the steps are enqueued, or null if there are several.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_start.sql
create or replace function tasker.write_start(
  p_row          tasker.step_queue,
  p_worker_uuid  uuid,
  p_lease_until  timestamptz,
  p_suspect      boolean
)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_login text        := session_user;
  v_role  text        := tasker.set_role();
  v_count integer;
  v_moved timestamptz;
begin
  -- One statement locks and starts the step. The subquery runs once, before the update. A locking query returns the
  -- newest version of the row, whatever the snapshot of the statement is, so its conditions apply to that version.
  update tasker.workflow_steps as s
     set state             = 'in_progress',
         transition_count  = s.transition_count + 1,
         moved_at          = greatest(s.moved_at, v_now),
         claim_no          = p_row.claim_no,
         attempts          = tasker.attempts_after('Start', 'enqueued', s.attempts),
         worker_uuid       = p_worker_uuid,
         claim_login       = v_login,
         claim_role        = v_role,
         last_attempted_at = v_now,
         lease_until       = p_lease_until,
         lease_seconds     = ceil(extract(epoch from p_lease_until - v_now))::integer
   where s.task_uuid = p_row.task_uuid
     and s.step_no = p_row.step_no
     and (
       select l.state = 'enqueued' and (l.lost_count > 1) = p_suspect
         from tasker.workflow_steps as l
        where l.task_uuid = p_row.task_uuid
          and l.step_no = p_row.step_no
          for no key update skip locked
     )
  returning s.transition_count, s.moved_at
    into v_count, v_moved;
  if not found then
    return null;
  end if;
  -- Path 3 of tasker.step_log_paths: started.
  insert into tasker.step_log (task_uuid, step_no, sort_key, path, claim_no, worker_uuid, login, role, created_at)
  values (p_row.task_uuid, p_row.step_no, v_count, 3, p_row.claim_no, p_worker_uuid, v_login, v_role, v_moved);
  return tasker.step_move(
    p_task_uuid => p_row.task_uuid, p_step_no => p_row.step_no, p_from_state => 'enqueued', p_event => 'Start',
    p_to_state => 'in_progress', p_claim_no => p_row.claim_no, p_worker_uuid => p_worker_uuid,
    p_lease_until => p_lease_until, p_transition_count => v_count, p_moved_at => v_moved
  );
end;
$$;

comment on function tasker.write_start is
$$Starts the step of one queue row that a claim has taken, by its key. tasker.write_starts does the same for many steps. p_suspect says whether the step is a suspect (tasker.start_suspect). Returns the move, or null if another transaction holds the step, the step is not enqueued, or p_suspect is wrong.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_starts.sql
create or replace function tasker.write_starts(
  p_taken        tasker.step_queue[],
  p_worker_uuid  uuid,
  p_lease_until  timestamptz
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_login text        := session_user;
  v_role  text        := tasker.set_role();
  v_tasks uuid[]      := array(select distinct u.task_uuid from unnest(p_taken) as u order by u.task_uuid);
  v_first uuid        := v_tasks[1];
  v_last  uuid        := v_tasks[cardinality(v_tasks)];
  v_moves tasker.step_moves[];
begin
  -- A locking query returns the newest version of the row, whatever the snapshot of the statement is, so conditions can
  -- be checked on its rows at once.
  with locked as materialized (
    select s.task_uuid, s.step_no, u.claim_no
      from unnest(p_taken) as u
     cross join lateral (
       select s.task_uuid, s.step_no, s.state, s.lost_count
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.task_uuid between v_first and v_last
          and s.step_no = u.step_no
          for no key update skip locked
     ) as s
     where s.state = 'enqueued'
       and s.lost_count < 2
  ),
  started as (
    update tasker.workflow_steps as s
       set state             = 'in_progress',
           transition_count  = s.transition_count + 1,
           moved_at          = greatest(s.moved_at, v_now),
           claim_no          = l.claim_no,
           attempts          = tasker.attempts_after('Start', 'enqueued', s.attempts),
           worker_uuid       = p_worker_uuid,
           claim_login       = v_login,
           claim_role        = v_role,
           last_attempted_at = v_now,
           lease_until       = p_lease_until,
           lease_seconds     = ceil(extract(epoch from p_lease_until - v_now))::integer
      from locked as l
     where s.task_uuid = any (array[l.task_uuid])
       and s.step_no = l.step_no
    returning s.task_uuid, s.step_no, s.claim_no, s.transition_count, s.moved_at
  ),
  logged as (
    -- Path 3 of tasker.step_log_paths: started.
    insert into tasker.step_log (
      task_uuid, step_no, sort_key, path, claim_no, worker_uuid, login, role, created_at
    )
    select
      m.task_uuid, m.step_no, m.transition_count, 3, m.claim_no, p_worker_uuid, v_login, v_role, m.moved_at
    from started as m
  )
  select array_agg(tasker.step_move(
    p_task_uuid => m.task_uuid, p_step_no => m.step_no, p_from_state => 'enqueued', p_event => 'Start',
    p_to_state => 'in_progress', p_claim_no => m.claim_no, p_worker_uuid => p_worker_uuid,
    p_lease_until => p_lease_until, p_transition_count => m.transition_count, p_moved_at => m.moved_at
  ))
    into v_moves
    from started as m;
  return coalesce(v_moves, '{}');
end;
$$;

comment on function tasker.write_starts is
$$Starts the steps of queue rows that a claim has taken, with one statement that writes only the columns of a start. Locks the steps that no other transaction holds. Moves the locked steps that are enqueued and are not suspects (tasker.start_suspect), and logs the moves. Returns the moves.

tasker.write_start does the same for one step. Does not change the queue rows, which the claim has already written.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_completions.sql
create or replace function tasker.write_completions(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now     timestamptz := tasker.write_clock();
  v_login   text        := session_user;
  v_role    text        := tasker.set_role();
  v_moves   tasker.step_moves[];
  v_effects smallint;
  v_ok       text; -- an assignment, unlike PERFORM, starts no executor
begin
  with moved as (
    update tasker.workflow_steps as s
       set state            = 'complete',
           transition_count = s.transition_count + 2,
           moved_at         = greatest(s.moved_at, v_now),
           lease_until      = null,
           results          = coalesce(m.result, s.results),
           processed_at     = v_now
      from unnest(p_moves) as m
     where s.task_uuid = any (array[m.task_uuid])
       and s.step_no = m.step_no
       and s.state = 'in_progress'
       and s.claim_no = m.held_claim_no
    returning
      m.position, s.task_uuid, s.step_no, tasker.execution_ms(m.execution_time_ms, s.last_attempted_at, v_now) as execution_time_ms,
      tasker.result_digest(m.result) as digest, s.claim_no, s.worker_uuid,
      s.transition_count, s.moved_at, tasker.effects_of_move(s.effects, 'in_progress', 'complete') as effects,
      -- The caller is compared with the caller in the previous row of the log.
      s.claim_login = v_login and s.claim_role is not distinct from v_role as same
  ),
  logged as (
    -- Path 47 of tasker.step_log_paths: recorded and completed.
    insert into tasker.step_log (
      task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, login, role, result_digest, created_at
    )
    select
      m.task_uuid, m.step_no, m.transition_count, 47, m.claim_no, m.execution_time_ms, m.worker_uuid,
      case when not m.same then v_login end, case when not m.same then v_role end, m.digest, m.moved_at
    from moved as m
  )
  select
    array_agg(tasker.step_move(
      p_position => m.position, p_task_uuid => m.task_uuid, p_step_no => m.step_no, p_from_state => 'in_progress',
      p_first_event => 'EnqueueForOrchestration', p_via_state => 'enqueued_for_orchestration', p_event => 'Complete',
      p_to_state => 'complete', p_claim_no => m.claim_no, p_worker_uuid => m.worker_uuid,
      p_transition_count => m.transition_count, p_moved_at => m.moved_at, p_effects => m.effects
    )),
    bit_or(m.effects)
    into v_moves, v_effects
    from moved as m;

  delete from tasker.step_queue as q
   using unnest(v_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;
  if v_effects <> 0 then
    v_ok := tasker.moved(v_moves, v_effects);
  end if;
  return coalesce(v_moves, '{}');
end;
$$;

comment on function tasker.write_completions is
$$Writes moves that each complete a step with its result, like tasker.write_moves: the steps, their log, their queue rows. Writes only the columns of a completion. Returns the written moves, but omits moves of steps that are no longer in progress under the claim.

The steps are locked in the order of the moves, which must be the order of their keys.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_completion.sql
create or replace function tasker.write_completion(p_move tasker.step_moves)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_login text        := session_user;
  v_role  text        := tasker.set_role();
  v_began timestamptz;
  v_same  boolean; -- whether the caller is the same as in the previous row of the log
  v_ok    text;    -- an assignment, unlike PERFORM, starts no executor
begin
  update tasker.workflow_steps as s
     set state            = 'complete',
         transition_count = s.transition_count + 2,
         moved_at         = greatest(s.moved_at, v_now),
         lease_until      = null,
         results          = coalesce(p_move.result, s.results),
         processed_at     = v_now
   where s.task_uuid = p_move.task_uuid
     and s.step_no = p_move.step_no
     and s.state = 'in_progress'
     and s.claim_no = p_move.held_claim_no
  returning
    s.transition_count, s.claim_no, s.moved_at, s.worker_uuid,
    s.last_attempted_at,
    s.claim_login = v_login and s.claim_role is not distinct from v_role,
    s.effects
    into
    p_move.transition_count, p_move.claim_no, p_move.moved_at, p_move.worker_uuid, v_began, v_same,
    p_move.effects;
  if not found then
    return null;
  end if;
  -- This column is not in the list above, because PostgreSQL compiles a "returning" list once for each partition.
  if (p_move.execution_time_ms > 0) is not true then
    p_move.execution_time_ms := tasker.execution_ms(p_move.execution_time_ms, v_began, v_now);
  end if;
  if p_move.effects <> 0 then
    p_move.effects := tasker.effects_of_move(p_move.effects, 'in_progress', 'complete');
  end if;
  if v_same then
    v_login := null;
    v_role := null;
  end if;

  -- Path 47 of tasker.step_log_paths: recorded and completed.
  insert into tasker.step_log (
    task_uuid, step_no, sort_key, path, claim_no, execution_time_ms, worker_uuid, login, role, result_digest, created_at
  )
  values (
    p_move.task_uuid, p_move.step_no, p_move.transition_count, 47, p_move.claim_no, p_move.execution_time_ms, p_move.worker_uuid,
    v_login, v_role, tasker.result_digest(p_move.result), p_move.moved_at
  );
  delete from tasker.step_queue as q
   where q.task_uuid = p_move.task_uuid
     and q.step_no = p_move.step_no;
  if p_move.effects <> 0 then
    v_ok := tasker.moved(array[p_move], p_move.effects);
  end if;
  return p_move;
end;
$$;

comment on function tasker.write_completion is
$$Writes a move that completes a step with its result, like tasker.write_move, but only the columns of a completion: the step, its log, its queue row. Returns the written move, or null if the step is no longer in progress under the claim.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/child_moves.sql
create or replace function tasker.child_moves(p_moves tasker.step_moves[], p_template uuid)
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
declare
  v_span        uuid[] := array[(p_moves[1]).task_uuid, (p_moves[cardinality(p_moves)]).task_uuid];
  v_moves       tasker.step_moves[];
  v_conditional boolean;
begin
  -- Most tasks have no added edges: read only the edges of the template.
  if p_template is not null then
    select
      array_agg(tasker.step_move(
        p_task_uuid => c.task_uuid, p_step_no => c.step_no, p_from_state => 'pending', p_to_state => 'pending',
        p_settled => c.settled, p_satisfied => c.satisfied
      ) order by c.task_uuid, c.step_no),
      bool_or(c.conditional)
      into v_moves, v_conditional
      from (
        select
          m.task_uuid, e.to_step_no as step_no, count(*)::integer as settled,
          count(*) filter (where m.to_state <> 'cancelled')::integer as satisfied, bool_or(e.condition is not null or e.outcome is not null) as conditional
          from unnest(p_moves) as m
         cross join lateral (
           select e.to_step_no, e.condition, e.outcome
             from tasker.named_task_edges as e
            where e.named_task_uuid = p_template
              and e.from_step_no = m.step_no
           offset 0
         ) as e
         where m.to_state in ('complete', 'cancelled', 'resolved_manually')
           and m.event is not null
         group by m.task_uuid, e.to_step_no
      ) as c;
    if v_conditional is not true then
      return coalesce(v_moves, '{}');
    end if;
  end if;

  return array(
    select tasker.step_move(
      p_task_uuid => m.task_uuid, p_step_no => e.to_step_no, p_from_state => 'pending', p_to_state => 'pending',
      p_settled => count(*)::integer,
      p_satisfied => count(*) filter (
          where case when e.outcome is not null then tasker.outcome_met(e.outcome, m.task_uuid, m.step_no, m.to_state)
            else m.to_state <> 'cancelled'
            and (
              e.condition is null
              or tasker.condition_holds(e.condition, (
                select tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no)
                  from tasker.workflow_steps as p
                 where p.task_uuid = m.task_uuid
                   and p.task_uuid between v_span[1] and v_span[2]
                   and p.step_no = m.step_no
              ))
            )
            end
        )::integer
    )
      from unnest(p_moves) as m
     cross join lateral (
       select t.named_task_uuid, t.has_added_edges
         from tasker.tasks as t
        where t.task_uuid = m.task_uuid
          and t.task_uuid between v_span[1] and v_span[2]
       offset 0
     ) as t
     cross join lateral tasker.step_children(m.task_uuid, t.named_task_uuid, t.has_added_edges, m.step_no) as e
     where m.to_state in ('complete', 'cancelled', 'resolved_manually')
       and m.event is not null
     group by m.task_uuid, e.to_step_no
     order by m.task_uuid, e.to_step_no
  );
end;
$$;

comment on function tasker.child_moves is
$$Returns the increments for the counters of the children of the steps that these moves settled, across tasks, in the order of the children's keys. The increments of a child are the number of its parents that settled, and the number of their edges that are satisfied. p_template is the template of all tasks if no task has added edges, otherwise null.

The moves must have been written, and must be in the order of the tasks' UUIDs.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_ready.sql
create or replace function tasker.write_ready(
  p_moves      tasker.step_moves[],
  p_namespace  text,
  p_now        timestamptz,
  p_effects    smallint
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  insert into tasker.step_log (
    task_uuid, step_no, sort_key, path, claim_no, login, role, created_at
  )
  select
    m.task_uuid, m.step_no, m.transition_count,
    tasker.step_path(m.task_uuid, m.step_no, m.from_state, null, m.event, m.to_state), m.claim_no, session_user, tasker.set_role(),
    m.moved_at
  from unnest(p_moves) as m;

  -- Insert the steps of one task together, so that they are claimed together.
  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
  select
    m.task_uuid, m.step_no, coalesce(p_namespace, tasker.namespace_of_task(m.task_uuid)),
    tasker.step_lane('enqueued', m.priority), m.named_step_uuid, m.claim_no, p_now
  from unnest(p_moves) as m
  where m.to_state = 'enqueued';
  if p_effects <> 0 then
    v_ok := tasker.moved(p_moves, p_effects);
  end if;
  return p_moves;
end;
$$;

comment on function tasker.write_ready is
$$Writes the log, the queue rows and the waits for moves of pending steps whose parents have settled. The caller has already written the rows of the steps. p_effects has the effects of all moves. Returns the moves. The moves must be in the order of their keys. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/settle_children.sql
create or replace function tasker.settle_children(
  p_moves      tasker.step_moves[],
  p_template   uuid,
  p_halted     uuid[],
  p_namespace  text
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now     timestamptz         := tasker.write_clock();
  v_counts  tasker.step_moves[] := tasker.child_moves(p_moves, p_template);
  v_pending integer;
  v_moves   tasker.step_moves[];
  v_effects smallint;
  v_mapped  uuid[];
  v_maps    integer[];
begin
  if cardinality(v_counts) = 0 then
    return '{}';
  end if;

  -- A map stays pending, and a note lets its instances start.
  with counted as (
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - d.settled,
           satisfied_parents = s.satisfied_parents + d.satisfied,
           state             = coalesce(
             tasker.child_state(
               s.state, s.join_mode, s.total_parents, s.pending_parents - d.settled, s.satisfied_parents + d.satisfied,
               s.task_uuid = any (p_halted) or s.for_each is not null, s.await is not null
             ),
             s.state
           ),
           transition_count  = s.transition_count + (tasker.child_state(
             s.state, s.join_mode, s.total_parents, s.pending_parents - d.settled, s.satisfied_parents + d.satisfied,
             s.task_uuid = any (p_halted) or s.for_each is not null, s.await is not null
           ) is not null)::integer,
           moved_at          = greatest(s.moved_at, v_now)
      from unnest(v_counts) as d
     where s.task_uuid = any (array[d.task_uuid])
       and s.step_no = d.step_no
       and s.state = 'pending'
    returning
      s.task_uuid, s.step_no, s.state, s.claim_no, s.transition_count, s.priority, s.named_step_uuid, s.moved_at,
      tasker.effects_of_move(s.effects, 'pending', s.state) as effects,
      s.for_each is not null and s.state = 'pending'
        and (s.pending_parents = 0 or s.for_each ? 'max_parallel' and s.expansion ->> 'expanded' <> s.expansion ->> 'elements') as expands
  )
  select
    count(*),
    array_agg(tasker.step_move(
      p_task_uuid => c.task_uuid, p_step_no => c.step_no, p_from_state => 'pending',
      p_event => tasker.ready_event(c.state), p_to_state => c.state, p_claim_no => c.claim_no,
      p_transition_count => c.transition_count, p_priority => c.priority, p_named_step_uuid => c.named_step_uuid,
      p_moved_at => c.moved_at, p_effects => c.effects
    )) filter (where c.state <> 'pending'),
    bit_or(c.effects),
    array_agg(c.task_uuid) filter (where c.expands),
    array_agg(c.step_no) filter (where c.expands)
    into v_pending, v_moves, v_effects, v_mapped, v_maps
    from counted as c;

  -- For a child that is no longer pending, only the counters change.
  if v_pending < cardinality(v_counts) then
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - d.settled,
           satisfied_parents = s.satisfied_parents + d.satisfied
      from unnest(v_counts) as d
     where s.task_uuid = any (array[d.task_uuid])
       and s.step_no = d.step_no
       and s.state <> 'pending'
       and not exists (select from unnest(v_moves) as m where m.task_uuid = d.task_uuid and m.step_no = d.step_no);
  end if;
  if v_maps is not null then
    perform tasker.maps_ready(v_mapped, v_maps);
  end if;
  if v_moves is null then
    return '{}';
  end if;
  return tasker.write_ready(v_moves, p_namespace, v_now, v_effects);
end;
$$;

comment on function tasker.settle_children is
$$Adds the steps that these moves settled to their children's counters, across tasks. Decides about each child that no longer waits for a parent (tasker.child_state), and writes the child's move. Returns the children that moved. p_template is the same as for tasker.child_moves. p_halted are the tasks that start no more steps. p_namespace is the namespace in whose queue the children are enqueued, or null if the tasks have several namespaces.

tasker.write_children does the same for one step. tasker.count_children only counts. The moves must have been written, and must be in the order of their keys. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/ready_moves.sql
create or replace function tasker.ready_moves(p_tasks tasker.task_facts[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'pending',
      p_event => tasker.ready_event(s.to_state), p_to_state => coalesce(s.to_state, 'pending')
    )
      from unnest(p_tasks) as f
     cross join lateral (
       select
         s.task_uuid, s.step_no,
         tasker.child_state(
           s.state, s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents,
           tasker.task_halts(f.on_failure, f.failed_steps) or s.for_each is not null, s.await is not null
         ) as to_state,
         s.for_each is not null as maps
         from tasker.workflow_steps as s
        where s.task_uuid = f.task_uuid
          and s.state = 'pending'
          and (s.pending_parents = 0 or s.join_mode = 'first' and s.satisfied_parents > 0)
       offset 0
     ) as s
     where s.to_state is not null
        or s.maps
     order by s.task_uuid, s.step_no
  );
end;
$$;

comment on function tasker.ready_moves is
$$Returns the moves of those steps of open tasks that no longer wait for a parent (tasker.child_state). It finds steps that became ready because of a start, a direct call or an operator, and not because of a parent. A map does not move, but its note is written. The cost is linear in the number of the tasks' steps.

The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_children.sql
create or replace function tasker.write_children(
  p_move    tasker.step_moves,
  p_task    tasker.task_facts,
  p_halted  boolean
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now         timestamptz := tasker.write_clock();
  v_satisfied   integer     := (p_move.to_state <> 'cancelled')::integer;
  v_children    integer[];
  v_conditional boolean;
  v_pending     integer[];
  v_moves       tasker.step_moves[];
  v_effects     smallint;
begin
  select array_agg(e.to_step_no), bool_or(e.condition is not null or e.outcome is not null)
    into v_children, v_conditional
    from tasker.named_task_edges as e
   where e.named_task_uuid = p_task.named_task_uuid
     and e.from_step_no = p_move.step_no;

  -- Conditions, outcomes and added edges need a decision for each edge. So use the function for many moves.
  if v_conditional or p_task.has_added_edges then
    return tasker.settle_children(
      array[p_move], case when not p_task.has_added_edges then p_task.named_task_uuid end,
      case when p_halted then array[p_task.task_uuid] else '{}' end, p_task.namespace
    );
  elsif v_children is null then
    return '{}';
  end if;

  -- For a child that is no longer pending, only the counters change.
  with counted as (
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - 1,
           satisfied_parents = s.satisfied_parents + v_satisfied,
           state             = coalesce(
             tasker.child_state(
               s.state, s.join_mode, s.total_parents, s.pending_parents - 1, s.satisfied_parents + v_satisfied, p_halted,
               s.await is not null
             ),
             s.state
           ),
           transition_count  = s.transition_count + (tasker.child_state(
             s.state, s.join_mode, s.total_parents, s.pending_parents - 1, s.satisfied_parents + v_satisfied, p_halted,
             s.await is not null
           ) is not null)::integer,
           moved_at          = greatest(s.moved_at, v_now)
     where s.task_uuid = p_move.task_uuid
       and s.step_no = any (v_children)
       and s.state = 'pending'
    returning s.step_no, s.state, s.claim_no, s.transition_count, s.priority, s.named_step_uuid, s.moved_at,
      tasker.effects_of_move(s.effects, 'pending', s.state) as effects
  )
  select
    coalesce(array_agg(c.step_no), '{}'),
    array_agg(tasker.step_move(
      p_task_uuid => p_move.task_uuid, p_step_no => c.step_no, p_from_state => 'pending',
      p_event => tasker.ready_event(c.state), p_to_state => c.state, p_claim_no => c.claim_no,
      p_transition_count => c.transition_count, p_priority => c.priority, p_named_step_uuid => c.named_step_uuid,
      p_moved_at => c.moved_at, p_effects => c.effects
    )) filter (where c.state <> 'pending'),
    bit_or(c.effects)
    into v_pending, v_moves, v_effects
    from counted as c;
  if cardinality(v_pending) < cardinality(v_children) then
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - 1,
           satisfied_parents = s.satisfied_parents + v_satisfied
     where s.task_uuid = p_move.task_uuid
       and s.step_no = any (v_children)
       and s.step_no <> all (v_pending);
  end if;
  if v_moves is null then
    return '{}';
  end if;
  return tasker.write_ready(v_moves, p_task.namespace, v_now, v_effects);
end;
$$;

comment on function tasker.write_children is
$$Adds a settled step to its children's counters, decides about each child (tasker.child_state), and writes the child's move by key: the step, its log and its queue row. Returns the children that moved.

tasker.settle_children does the same for many steps. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/settle_task.sql
create or replace function tasker.settle_task(
  p_task      tasker.task_facts,
  p_sort_key  integer,
  p_event     text,
  p_to_state  tasker.task_state,
  p_owner     uuid,
  p_now       timestamptz
)
  returns boolean
  language plpgsql
as $$
declare
  v_ended boolean := p_to_state in ('complete', 'error', 'cancelled', 'resolved_manually');
  v_moved tasker.task_transition_log;
  v_timed boolean;
  v_waits boolean;
  v_told  boolean;
  v_word  text; -- an assignment, unlike PERFORM, starts no executor
begin
  update tasker.tasks as t
     set open_steps       = p_task.open_steps,
         active_steps     = p_task.active_steps,
         retrying_steps   = p_task.retrying_steps,
         suspended_steps  = p_task.suspended_steps,
         failed_steps     = p_task.failed_steps,
         state            = p_to_state,
         complete         = v_ended,
         transition_count = p_sort_key,
         processor_uuid   = p_owner,
         started_at       = case
           when p_task.state = 'pending' and (v_ended and p_to_state <> 'complete') then t.started_at
           else coalesce(t.started_at, p_now)
         end,
         completed_at     = case when v_ended then p_now end,
         updated_at       = p_now
   where t.task_uuid = p_task.task_uuid;

  -- One query at the end, in a snapshot after the writes.
  if v_ended then
    select
      exists (select from tasker.timers as m where m.task_uuid = p_task.task_uuid and m.kind not in ('child_ended', 'cancel_child')),
      exists (select from tasker.waiting_tasks as w where w.task_uuid = p_task.task_uuid),
      e.wanted
      into v_timed, v_waits, v_told
      from tasker.task_events_wanted() as e (wanted);
    if v_timed or v_waits then
      perform tasker.clear_ended_tasks(array[p_task.task_uuid]);
    end if;
    if p_task.parent_step_uuid is not null or p_task.keyed then
      perform tasker.tasks_moved(
        case when p_task.parent_step_uuid is not null then array[p_task.task_uuid] end, null,
        case when p_task.keyed then array[p_task.task_uuid] end
      );
    end if;
  end if;
  if p_to_state <> p_task.state and v_told is not false then
    v_moved.task_uuid := p_task.task_uuid;
    v_moved.sort_key := p_sort_key;
    v_moved.event := p_event;
    v_moved.from_state := p_task.state;
    v_moved.to_state := p_to_state;
    v_moved.created_at := p_now;
    v_word := tasker.notify_task_events(array[v_moved]);
  end if;
  return v_ended;
end;
$$;

comment on function tasker.settle_task is
$$Writes the row of a moved task after its log: counters, state and owner. If the task has ended, deletes its timers and its waiting row, and writes notes for the step that waits for the task and for the next task of the same key. Notifies listeners. Returns whether it has ended. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/taken_failures.sql
create or replace function tasker.taken_failures(p_task_uuid uuid)
  returns integer[]
  language plpgsql
  stable
as $$
begin
  return array(
    select s.step_no
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.state = 'cancelled'
       and s.effects & 1024 <> 0
       and s.map_no is null
       and tasker.settled_by(s.task_uuid, s.step_no) = 'Tolerate'
     order by s.last_failure_at, s.step_no
  );
end;
$$;

comment on function tasker.taken_failures is
$$Returns the failed steps of a task whose failure another step waited for, the earliest failure first. The cost is linear in the task's steps.$$;
-- <<<

-- >>> db/schema/functions/doors/tasks/private/fails_at_end.sql
create or replace function tasker.fails_at_end(p_task_uuid uuid)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return cardinality(tasker.taken_failures(p_task_uuid)) > 0;
end;
$$;

comment on function tasker.fails_at_end is
$$Door: no step of a task can move any longer, and the template says on_failure: fail. Returns true if a step failed and another step waited for that failure. Then the task fails although that other step has handled the failure.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_task.sql
create or replace function tasker.write_task(
  p_task       tasker.task_facts,
  p_open       integer,
  p_active     integer,
  p_retrying   integer,
  p_suspended  integer,
  p_failed     integer,
  p_enqueued   integer[],
  p_moved      integer[],
  p_error      text,
  p_processor  uuid
)
  returns boolean
  language plpgsql
as $$
declare
  v_now     timestamptz := greatest(tasker.write_clock(), p_task.updated_at);
  v_outcome text;
  v_path    record;
begin
  p_task.open_steps := p_task.open_steps + p_open;
  p_task.active_steps := p_task.active_steps + p_active;
  p_task.retrying_steps := p_task.retrying_steps + p_retrying;
  p_task.suspended_steps := p_task.suspended_steps + p_suspended;
  p_task.failed_steps := p_task.failed_steps + p_failed;
  v_outcome := tasker.task_outcome(
    p_task.open_steps, p_task.active_steps, p_task.retrying_steps, p_task.suspended_steps,
    p_task.failed_steps - coalesce((p_task.undo ->> 'failed')::integer, 0), p_enqueued <> '{}', p_task.on_failure
  );
  -- There are two conditions, because a condition with a query would cost every call a statement.
  if v_outcome in ('blocked', 'failed') and p_task.has_added_edges then
    if exists (
      select
        from tasker.timers as m
       where m.task_uuid = p_task.task_uuid
         and m.kind in ('expand_map', 'end_race')
    ) then
      v_outcome := 'waiting'; -- the next instances of a map, or the end of a race, are still to come
    end if;
  elsif v_outcome = 'complete' and p_task.has_added_edges and p_task.on_failure in ('fail', 'fail_undo') then
    if tasker.fails_at_end(p_task.task_uuid) then
      v_outcome := case p_task.on_failure when 'fail' then 'failed' else 'blocked' end;
    end if;
  end if;
  if p_task.undo is not null
     and (v_outcome = 'undo' or v_outcome = 'blocked' and p_task.on_failure = 'fail_undo') then
    perform tasker.tasks_moved(null, array[p_task.task_uuid], null);
    v_outcome := case when v_outcome = 'undo' then 'waiting' else v_outcome end;
  end if;
  if tasker.task_stays(v_outcome, p_task.state) then
    update tasker.tasks as t
       set open_steps      = p_task.open_steps,
           active_steps    = p_task.active_steps,
           retrying_steps  = p_task.retrying_steps,
           suspended_steps = p_task.suspended_steps,
           failed_steps    = p_task.failed_steps,
           updated_at      = v_now
     where t.task_uuid = p_task.task_uuid;
    return false;
  end if;

  -- The most frequent path is found without a query. A test compares this path with the table.
  if v_outcome = 'complete' and p_task.state = 'steps_in_process' then
    insert into tasker.task_log (task_uuid, sort_key, path, processor_uuid, login, role, created_at)
    values (p_task.task_uuid, p_task.transition_count + 2, 20, p_processor, session_user, tasker.set_role(), v_now);
    return tasker.settle_task(p_task, p_task.transition_count + 2, 'AllStepsSuccessful', 'complete', null, v_now);
  end if;

  select p.position, p.event, p.to_state, p.path, p.metadata_event, p.outcome_event
    into v_path
    from tasker.task_paths as p
   where p.outcome = v_outcome
     and p.start_state = p_task.state
     and p.last;
  insert into tasker.task_log (
    task_uuid, sort_key, path, processor_uuid, login, role, metadata, outcome, created_at
  )
  values (
    p_task.task_uuid, p_task.transition_count + v_path.position, v_path.path, p_processor, session_user, tasker.set_role(),
    tasker.task_move_metadata(
      least(v_path.position, 2), p_task.state, v_path.metadata_event, p_moved, p_enqueued, p_task.failed_steps, p_error
    ),
    tasker.task_move_metadata(
      2, p_task.state, v_path.outcome_event, p_moved, p_enqueued, p_task.failed_steps, p_error
    ), v_now
  );

  return tasker.settle_task(p_task, p_task.transition_count + v_path.position, v_path.event, v_path.to_state, null, v_now);
end;
$$;

comment on function tasker.write_task is
$$Writes the consequences of step moves for one task, by its key: updates its counters, and moves it along its path (tasker.task_outcome, tasker.task_paths) with row, log, timers and notification. The integer arguments are added to the counters. p_enqueued has the steps that were enqueued, p_moved the steps that ended, and p_error the failure of a step. Returns whether the task has ended.

tasker.write_tasks does the same for many tasks. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/write_tasks.sql
create or replace function tasker.write_tasks(
  p_moves      tasker.step_moves[],
  p_tasks      tasker.task_facts[],
  p_processor  uuid
)
  returns void
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_moved tasker.task_transition_log[];
  v_told  uuid[]; -- tasks that ended and for which a step of another task waits
  v_undo  uuid[]; -- tasks of which something is to be undone
  v_keyed uuid[]; -- tasks that ended and whose template limits how many tasks run
begin
  -- A task's counters with the changes by the moves of its steps.
  with counted as (
    select
      c.task_uuid,
      min(c.state) as state,
      min(c.on_failure) as on_failure,
      min(c.transition_count) as transition_count,
      greatest(v_now, min(c.updated_at)) as updated_at,
      sum(c.open_steps)::integer as open_steps,
      sum(c.active_steps)::integer as active_steps,
      sum(c.retrying_steps)::integer as retrying_steps,
      sum(c.suspended_steps)::integer as suspended_steps,
      sum(c.failed_steps)::integer as failed_steps,
      coalesce(array_agg(c.step_no) filter (where c.enqueued), '{}') as enqueued,
      bool_or(c.has_added_edges) as has_added_edges,
      bool_or(c.keyed) as keyed,
      coalesce(max(c.failed_before), 0) as failed_before,
      array_agg(c.step_no) filter (where not c.enqueued) as moved,
      min(c.error) as error,
      min(c.worker_uuid::text)::uuid as worker_uuid
    from (
      select
        f.task_uuid, f.state, f.on_failure, f.transition_count, f.updated_at,
        f.open_steps, f.active_steps, f.retrying_steps, f.suspended_steps, f.failed_steps, null::integer as step_no, f.has_added_edges, f.keyed,
        (f.undo ->> 'failed')::integer as failed_before,
        null::boolean as enqueued, null::text as error,
        null::uuid as worker_uuid
      from unnest(p_tasks) as f
      union all
      select
        m.task_uuid, null, null, null, null,
        tasker.step_is_open(m.to_state) - tasker.step_is_open(m.from_state),
        tasker.step_is_active(m.to_state) - tasker.step_is_active(m.from_state),
        (m.to_state = 'waiting_for_retry')::integer - (m.from_state = 'waiting_for_retry')::integer,
        (m.to_state = 'suspended')::integer - (m.from_state = 'suspended')::integer,
        (m.to_state = 'error')::integer - (m.from_state = 'error')::integer,
        m.step_no, null, null, null,
        -- Steps that are only counted, begin to wait or are skipped do not count as enqueued or ended.
        case when m.event in ('Enqueue', 'Resume') then true when m.event not in ('Skip', 'Suspend') then false end,
        m.error,
        m.worker_uuid
      from unnest(p_moves) as m
    ) as c
    group by c.task_uuid
  ),
  judged as (
    select
      c.*,
      case
        -- The task waits for the next instances of a map, or for the end of a race.
        when o.outcome in ('blocked', 'failed') and c.has_added_edges and exists (
          select
            from tasker.timers as m
           where m.task_uuid = any (array[c.task_uuid])
             and m.kind in ('expand_map', 'end_race')
        )
          then 'waiting'
        when o.outcome = 'undo' then 'waiting'
        when c.has_added_edges and c.on_failure in ('fail', 'fail_undo') and o.outcome = 'complete' and tasker.fails_at_end(c.task_uuid)
          then case c.on_failure when 'fail' then 'failed' else 'blocked' end
        else o.outcome
      end as outcome,
      o.outcome = case c.on_failure when 'fail_undo' then 'blocked' else 'undo' end
        or c.has_added_edges and c.on_failure = 'fail_undo' and o.outcome = 'complete' and tasker.fails_at_end(c.task_uuid) as undone
    from counted as c
    cross join lateral (
      select
        tasker.task_outcome(
          c.open_steps, c.active_steps, c.retrying_steps, c.suspended_steps, c.failed_steps - c.failed_before,
          c.enqueued <> '{}', c.on_failure
        ) as outcome
    ) as o
  ),
  logged as (
    insert into tasker.task_log (
      task_uuid, sort_key, path, processor_uuid, login, role, metadata, outcome, created_at
    )
    select
      j.task_uuid, j.transition_count + p.position, p.path, coalesce(j.worker_uuid, p_processor), session_user, tasker.set_role(),
      tasker.task_move_metadata(
        least(p.position, 2), j.state, p.metadata_event, j.moved, j.enqueued, j.failed_steps, j.error
      ),
      tasker.task_move_metadata(
        2, j.state, p.outcome_event, j.moved, j.enqueued, j.failed_steps, j.error
      ), j.updated_at
    from judged as j
    join tasker.task_paths as p
      on p.outcome = j.outcome
     and p.start_state = j.state
     and p.last
  ),
  moved as (
    update tasker.tasks as t
       set open_steps       = j.open_steps,
           active_steps     = j.active_steps,
           retrying_steps   = j.retrying_steps,
           suspended_steps  = j.suspended_steps,
           failed_steps     = j.failed_steps,
           state            = coalesce(p.to_state, t.state),
           complete         = coalesce(p.to_state in ('complete', 'error'), t.complete),
           transition_count = t.transition_count + coalesce(p.position, 0),
           processor_uuid   = case when p.to_state is null then t.processor_uuid end,
           started_at       = coalesce(t.started_at, case when p.to_state is not null then j.updated_at end),
           completed_at     = case when p.to_state in ('complete', 'error') then j.updated_at end,
           updated_at       = j.updated_at
      from judged as j
      left join tasker.task_paths as p
        on p.outcome = j.outcome
       and p.start_state = j.state
       and p.last
     where t.task_uuid = any (array[j.task_uuid])
    returning t.task_uuid, t.transition_count, p.event, j.state as from_state, t.state, t.updated_at,
      t.complete and t.parent_step_uuid is not null and t.state <> j.state as told, j.undone,
      t.complete and j.keyed and t.state <> j.state as keyed
  )
  select array_agg((
      m.task_uuid, m.transition_count, m.event, m.from_state, m.state, null, null, null, null, null, null, m.updated_at, null, null
    )::tasker.task_transition_log) filter (where m.state <> m.from_state),
    array_agg(m.task_uuid) filter (where m.told),
    array_agg(m.task_uuid) filter (where m.undone),
    array_agg(m.task_uuid) filter (where m.keyed)
    into v_moved, v_told, v_undo, v_keyed
    from moved as m;

  if v_undo is not null then
    perform tasker.tasks_moved(null, v_undo, null);
  end if;
  if v_moved is not null then
    perform tasker.notify_task_events(v_moved);
    perform tasker.clear_ended_tasks(array(select m.task_uuid from unnest(v_moved) as m where m.to_state in ('complete', 'error')));
    if v_told is not null or v_keyed is not null then
      perform tasker.tasks_moved(v_told, null, v_keyed);
    end if;
  end if;
end;
$$;

comment on function tasker.write_tasks is
$$Updates the counters of tasks for these moves of their steps and moves each task, with or without step moves, along the path that follows from its counters (tasker.task_outcome, tasker.task_paths): writes row, log, timers and notification.

The number of statements does not depend on the number of moves and tasks. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/count_children.sql
create or replace function tasker.count_children(p_moves tasker.step_moves[], p_template uuid)
  returns void
  language plpgsql
as $$
declare
  v_now    timestamptz         := tasker.write_clock();
  v_counts tasker.step_moves[] := tasker.child_moves(p_moves, p_template);
  v_mapped uuid[];
  v_maps   integer[];
begin
  with counted as (
    update tasker.workflow_steps as s
       set pending_parents   = s.pending_parents - d.settled,
           satisfied_parents = s.satisfied_parents + d.satisfied,
           moved_at          = case when s.state = 'pending' then greatest(s.moved_at, v_now) else s.moved_at end
      from unnest(v_counts) as d
     where s.task_uuid = any (array[d.task_uuid])
       and s.step_no = d.step_no
    returning
      s.task_uuid, s.step_no,
      s.for_each is not null and s.state = 'pending'
        and (s.pending_parents = 0 or s.for_each ? 'max_parallel' and s.expansion ->> 'expanded' <> s.expansion ->> 'elements') as expands
  )
  select array_agg(c.task_uuid), array_agg(c.step_no) into v_mapped, v_maps from counted as c where c.expands;
  if v_maps is not null then
    perform tasker.maps_ready(v_mapped, v_maps);
  end if;
end;
$$;

comment on function tasker.count_children is
$$Adds the steps that settled to their children's counters, and decides about no child, because the task ends, is reset, or is evaluated later. tasker.settle_children also decides. The moves must have been written, and must be in the order of their keys. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/counted.sql
create or replace function tasker.counted(p_task tasker.task_facts, p_moves tasker.step_moves[])
  returns tasker.task_facts
  language plpgsql
as $$
begin
  select
    p_task.open_steps + sum(tasker.step_is_open(m.to_state) - tasker.step_is_open(m.from_state)),
    p_task.active_steps + sum(tasker.step_is_active(m.to_state) - tasker.step_is_active(m.from_state)),
    p_task.retrying_steps + count(*) filter (where m.to_state = 'waiting_for_retry')
      - count(*) filter (where m.from_state = 'waiting_for_retry'),
    p_task.suspended_steps + count(*) filter (where m.to_state = 'suspended') - count(*) filter (where m.from_state = 'suspended'),
    p_task.failed_steps + count(*) filter (where m.to_state = 'error') - count(*) filter (where m.from_state = 'error')
    into p_task.open_steps, p_task.active_steps, p_task.retrying_steps, p_task.suspended_steps, p_task.failed_steps
    from unnest(p_moves) as m;
  return p_task;
end;
$$;

comment on function tasker.counted is
$$Returns a task's facts with its counters after these moves of its steps. There must be at least one move.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/count_task.sql
create or replace function tasker.count_task(p_task tasker.task_facts)
  returns void
  language plpgsql
as $$
begin
  update tasker.tasks as t
     set open_steps      = p_task.open_steps,
         active_steps    = p_task.active_steps,
         retrying_steps  = p_task.retrying_steps,
         suspended_steps = p_task.suspended_steps,
         failed_steps    = p_task.failed_steps,
         updated_at      = greatest(tasker.write_clock(), p_task.updated_at)
   where t.task_uuid = p_task.task_uuid;
end;
$$;

comment on function tasker.count_task is
$$Writes only the counters of a task. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/apply_held_move.sql
create or replace function tasker.apply_held_move(p_move tasker.step_moves, p_task tasker.task_facts)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_template uuid                := case when not p_task.has_added_edges then p_task.named_task_uuid end;
  v_move     tasker.step_moves   := tasker.write_move(p_move, p_task.namespace);
  v_all      tasker.step_moves[] := array[v_move];
  v_last     tasker.step_moves[];
begin
  if v_move.task_uuid is null then
    return null;
  end if;
  if v_move.to_state = 'suspended' then
    v_all := v_all || tasker.write_moves(tasker.follow_moves(v_all, 1::smallint), p_task.namespace);
  elsif v_move.to_state = 'error' and p_task.has_added_edges then
    v_last := v_all;
    loop
      v_last := tasker.write_moves(tasker.follow_moves(v_last, 32::smallint), p_task.namespace);
      v_all := v_all || v_last;
      exit when not exists (select from unnest(v_last) as m where m.to_state = 'error');
    end loop;
    v_all := array(select m from unnest(v_all) as m order by m.step_no);
  end if;
  if exists (select from unnest(v_all) as m where m.to_state in ('complete', 'cancelled', 'resolved_manually')) then
    perform tasker.count_children(v_all, v_template);
  end if;
  perform tasker.count_task(tasker.counted(p_task, v_all));
  if exists (select from unnest(v_all) as m where m.to_state = 'enqueued') then
    perform tasker.announce_steps(p_task.namespace, array_agg(m.task_uuid), array_agg(m.step_no))
       from unnest(v_all) as m
      where m.to_state = 'enqueued';
  end if;
  return v_move;
end;
$$;

comment on function tasker.apply_held_move is
$$Applies one move without its consequences: writes the counters of the children and of the task, but decides about neither. The caller evaluates the task afterwards, or leaves that to an orchestrator. Returns the move as written. If the step has left from_state or is under another claim, returns null and changes nothing.

tasker.apply_move applies a move with its consequences. The caller holds the task's lock and passes its facts.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/apply_move.sql
create or replace function tasker.apply_move(
  p_move       tasker.step_moves,
  p_task       tasker.task_facts,
  p_processor  uuid  default null
)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_failed   integer   := 0; -- these six variables describe a completion
  v_halted   boolean;
  v_move     tasker.step_moves;
  v_children tasker.step_moves[] := '{}';
  v_child    tasker.step_moves;
  v_settled  integer;        -- number of steps that settled at this level of the graph
  v_began    integer;
  v_closed   integer   := 0; -- number of steps that settled at all levels
  v_open     integer   := -1;
  v_active   integer   := -1;
  v_retrying integer   := 0;
  v_waiting  integer   := 0;
  v_level    tasker.step_moves[];
  v_moved    integer[] := array[p_move.step_no];
  v_ended    boolean;
  v_word     text; -- an assignment, unlike PERFORM, starts no executor
  v_enqueued integer[] := '{}';
begin
  if p_move.event = 'Complete' and p_move.via_state = 'enqueued_for_orchestration' and p_move.from_state = 'in_progress' then
    v_move := tasker.write_completion(p_move);
  else
    v_failed := (p_move.to_state = 'error')::integer - (p_move.from_state = 'error')::integer;
    -- A map may tolerate the failure of an instance, and a step may wait for a failure.
    if v_failed > 0 and p_task.has_added_edges then
      return (tasker.apply_moves(array[p_move], array[p_task], p_processor))[1];
    end if;
    v_open := tasker.step_is_open(p_move.to_state) - tasker.step_is_open(p_move.from_state);
    v_active := tasker.step_is_active(p_move.to_state) - tasker.step_is_active(p_move.from_state);
    v_retrying := (p_move.to_state = 'waiting_for_retry')::integer - (p_move.from_state = 'waiting_for_retry')::integer;
    v_waiting := (p_move.to_state = 'suspended')::integer - (p_move.from_state = 'suspended')::integer;
    if p_move.event in ('Enqueue', 'Skip', 'Suspend', 'Resume') then
      v_moved := '{}';
    end if;
    if p_move.to_state = 'enqueued' then
      v_active := v_active - 1; -- the step counts among the enqueued steps
      v_enqueued := array[p_move.step_no];
    end if;
    v_move := tasker.write_move(p_move, p_task.namespace);
  end if;
  if v_move.task_uuid is null then
    return null;
  end if;
  v_halted := tasker.task_halts(p_task.on_failure, p_task.failed_steps + v_failed);

  if p_task.total_steps > 1 and v_move.to_state in ('complete', 'cancelled', 'resolved_manually') then
    v_children := tasker.write_children(v_move, p_task, v_halted);
  elsif v_move.to_state = 'suspended' then
    v_children := tasker.write_moves(tasker.follow_moves(array[v_move], 1::smallint), p_task.namespace);
  end if;
  while cardinality(v_children) > 0 loop
    v_settled := 0;
    v_began := 0;
    foreach v_child in array v_children loop
      if v_child.event = 'Resume' then
        v_waiting := v_waiting - 1;
        v_enqueued := v_enqueued || v_child.step_no;
      elsif v_child.event = 'Enqueue' then
        v_enqueued := v_enqueued || v_child.step_no;
      elsif v_child.event = 'Skip' then
        v_settled := v_settled + 1;
      elsif v_child.event = 'Suspend' then
        v_began := v_began + 1;
      elsif v_child.event = 'Complete' then
        -- The step began to wait at the previous level, and its signal had been kept.
        v_settled := v_settled + 1;
        v_waiting := v_waiting - 1;
        v_moved := v_moved || v_child.step_no;
      end if;
    end loop;
    exit when v_settled = 0 and v_began = 0;
    -- A skipped step settles its own edges.
    v_closed := v_closed + v_settled;
    v_waiting := v_waiting + v_began;
    v_level := v_children;
    v_children := '{}';
    if v_settled > 0 then
      v_children := tasker.settle_children(
        v_level, case when not p_task.has_added_edges then p_task.named_task_uuid end,
        case when v_halted then array[p_task.task_uuid] else '{}' end, p_task.namespace
      );
    end if;
    if v_began > 0 then
      v_children := v_children || tasker.write_moves(tasker.follow_moves(v_level, 1::smallint), p_task.namespace);
    end if;
  end loop;

  -- Process the moves in the order of the steps, as for many moves. The moves of one level are already in this order.
  if v_level is not null then
    v_moved := array(select u.step_no from unnest(v_moved) as u (step_no) order by u.step_no);
    v_enqueued := array(select u.step_no from unnest(v_enqueued) as u (step_no) order by u.step_no);
  end if;
  v_ended := tasker.write_task(
    p_task, v_open - v_closed, v_active + cardinality(v_enqueued), v_retrying, v_waiting, v_failed, v_enqueued, v_moved,
    v_move.error, coalesce(v_move.worker_uuid, p_processor)
  );
  if cardinality(v_enqueued) = 0 then
    return v_move;
  elsif p_task.transport = 'pgmq' then
    perform tasker.announce_steps(p_task.namespace, array_fill(p_task.task_uuid, array[cardinality(v_enqueued)]), v_enqueued);
  else
    v_word := tasker.notify_steps_ready(p_task.namespace);
  end if;
  return v_move;
end;
$$;

comment on function tasker.apply_move is
$$Applies one move and its consequences: changes the step, its children and its task, and notifies workers and listeners. Returns the move as written. If the step has left from_state or is under another claim, returns null and changes nothing.

If no worker moves the task, the log names p_processor. tasker.apply_moves does the same for a set of moves. tasker.apply_held_move writes a move without its consequences. The caller holds the task's lock and passes its facts.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/apply_moves.sql
create or replace function tasker.apply_moves(
  p_moves      tasker.step_moves[],
  p_tasks      tasker.task_facts[],
  p_processor  uuid  default null
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_move      tasker.step_moves;
  v_written   tasker.step_moves[] := '{}';
  v_last      tasker.step_moves[];
  v_all       tasker.step_moves[];
  v_level     tasker.step_moves[];
  v_settled   boolean;
  v_began     boolean;
  v_ready     boolean; -- whether steps were enqueued
  v_complete  boolean; -- whether each move completes a step with its result
  v_namespace text; -- the namespace of all tasks, if they have the same
  v_template  uuid; -- the template of all tasks, if they have the same and no added edges
  v_failing   uuid[];
  v_halted    uuid[];
  v_mapped    boolean; -- whether a map may tolerate a failure, or a step may wait for it
  v_word      text;    -- an assignment, unlike PERFORM, starts no executor
begin
  -- Apply a single move by key, if it is not a note of a map nor a failure that a map may tolerate.
  if cardinality(p_moves) = 1 and cardinality(p_tasks) = 1 and p_moves[1].event is not null
     and not (p_moves[1].to_state = 'error' and p_tasks[1].has_added_edges) then
    v_move := tasker.apply_move(p_moves[1], p_tasks[1], p_processor);
    return case when v_move.task_uuid is null then '{}' else array[v_move] end;
  end if;

  select
    array_agg(m.task_uuid) filter (where m.to_state = 'error'),
    bool_or(m.to_state in ('complete', 'cancelled', 'resolved_manually')), bool_or(m.to_state = 'suspended'),
    coalesce(bool_or(m.event in ('Enqueue', 'Resume')), false),
    bool_and(m.from_state = 'in_progress' and m.via_state = 'enqueued_for_orchestration' and m.event = 'Complete')
    into v_failing, v_settled, v_began, v_ready, v_complete
    from unnest(p_moves) as m;
  -- A failure among these moves also halts its task.
  select
    case when bool_and(f.namespace = p_tasks[1].namespace) then p_tasks[1].namespace end,
    case when bool_and(f.named_task_uuid = p_tasks[1].named_task_uuid and not f.has_added_edges) then p_tasks[1].named_task_uuid end,
    coalesce(array_agg(f.task_uuid) filter (
      where tasker.task_halts(f.on_failure, f.failed_steps + coalesce(f.task_uuid = any (v_failing), false)::integer)
    ), '{}'),
    v_failing is not null and bool_or(f.has_added_edges and f.task_uuid = any (v_failing))
    into v_namespace, v_template, v_halted, v_mapped
    from unnest(p_tasks) as f;

  if v_complete then
    v_written := tasker.write_completions(p_moves);
  elsif cardinality(p_moves) > 0 then
    v_written := tasker.write_moves(p_moves, v_namespace);
  end if;
  if cardinality(v_written) < cardinality(p_moves) then
    p_tasks := array(
      select f from unnest(p_tasks) as f where exists (select from unnest(v_written) as m where m.task_uuid = f.task_uuid)
    );
  end if;
  v_all := v_written;
  v_last := v_written;
  if v_mapped then
    -- Repeat this for a map that fails because of these moves, because a step may wait for the failure of the map.
    loop
      v_last := tasker.write_moves(tasker.follow_moves(v_last, 32::smallint), v_namespace);
      v_all := v_all || v_last;
      exit when not exists (select from unnest(v_last) as m where m.to_state = 'error');
    end loop;
    v_last := array(select m from unnest(v_all) as m order by m.task_uuid, m.step_no);
    v_halted := tasker.halted_tasks(p_tasks, v_all);
    v_settled := true;
  end if;
  -- Each iteration goes one level down: a skipped step settles its own edges in the next iteration, and so does a
  -- step that began to wait and finds a kept signal.
  while (v_settled or v_began) and cardinality(v_last) > 0 loop
    v_level := v_last;
    v_last := '{}';
    if v_settled then
      v_last := tasker.settle_children(v_level, v_template, v_halted, v_namespace);
    end if;
    if v_began then
      v_last := array(
        select m
          from unnest(v_last || tasker.write_moves(tasker.follow_moves(v_level, 1::smallint), v_namespace)) as m
         order by m.task_uuid, m.step_no
      );
    end if;
    v_all := v_all || v_last;
    select
      bool_or(m.to_state in ('complete', 'cancelled', 'resolved_manually')), bool_or(m.to_state = 'suspended'),
      v_ready or coalesce(bool_or(m.event in ('Enqueue', 'Resume')), false)
      into v_settled, v_began, v_ready
      from unnest(v_last) as m;
  end loop;

  perform tasker.write_tasks(v_all, p_tasks, p_processor);
  if not v_ready then
    return v_written;
  elsif v_namespace is null then
    perform tasker.announce_queue_rows(array_agg(m.task_uuid), array_agg(m.step_no))
       from unnest(v_all) as m
      where m.event in ('Enqueue', 'Resume');
  elsif p_tasks[1].transport = 'pgmq' then
    perform tasker.announce_steps(v_namespace, array_agg(m.task_uuid), array_agg(m.step_no))
       from unnest(v_all) as m
      where m.event in ('Enqueue', 'Resume')
     having count(*) > 0;
  else
    v_word := tasker.notify_steps_ready(v_namespace);
  end if;
  return v_written;
end;
$$;

comment on function tasker.apply_moves is
$$Applies moves of any number of steps and their consequences: changes the steps, their children and their tasks, and notifies workers and listeners. Evaluates each of the given tasks, even without a move, except tasks whose moves came too late. Returns the moves that were written.

If no worker moves the tasks, the log names p_processor. The moves must be in the order of their keys. The caller holds the tasks' locks and passes their facts.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/direct_move.sql
create or replace function tasker.direct_move(
  p_step            tasker.workflow_steps,
  p_event           text,
  p_to_state        tasker.step_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.clock();
  v_settings tasker.settings_now;
  v_move     tasker.step_moves;
begin
  select c.* into v_settings from tasker.settings_now as c;
  v_move.task_uuid := p_step.task_uuid;
  v_move.step_no := p_step.step_no;
  v_move.from_state := p_step.state;
  v_move.event := p_event;
  v_move.to_state := p_to_state;
  v_move.worker_uuid := p_processor_uuid;
  if p_to_state = 'in_progress' then
    v_move.claim_no := tasker.next_claim_no(p_step.claim_no);
    v_move.lease_until := v_now + make_interval(secs => v_settings.lease_seconds);
  elsif p_to_state = 'waiting_for_retry' then
    v_move.next_retry_at := tasker.retry_at(
      v_now, v_settings, p_step.attempts,
      coalesce((p_metadata ->> 'backoff_seconds')::double precision, p_step.backoff_request_seconds),
      p_step.backoff_base_seconds, p_step.backoff_multiplier, p_step.max_backoff_seconds
    );
  end if;
  v_move.visible_at := coalesce(v_move.lease_until, v_now);
  v_move.execution_time_ms := (p_metadata ->> 'execution_time_ms')::bigint;
  v_move.backoff_seconds := (p_metadata ->> 'backoff_seconds')::double precision;
  v_move.actor := p_actor;
  v_move.reason := p_metadata ->> 'reason';
  v_move.error := p_metadata ->> 'error';
  v_move.result := p_metadata -> 'results';
  v_move.metadata := nullif(p_metadata - '{event,reason,results,execution_time_ms}'::text[], '{}');
  return v_move;
end;
$$;

comment on function tasker.direct_move is
$$Builds the move of a direct call or an operator from its metadata. The caller has locked the task and the step, and has checked that the move is allowed.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/sweep_moves.sql
create or replace function tasker.sweep_moves(p_task_uuid uuid, p_sweep text, p_reason text, p_actor text)
  returns tasker.step_moves[]
  language plpgsql
as $$
begin
  -- Claims and renewals do not lock the task. So lock the steps, whose states must not change before the moves are written.
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => s.state,
      p_first_event => case when l.position = 2 then f.event end,
      p_via_state => case when l.position = 2 then f.to_state end, p_event => l.event, p_to_state => l.to_state,
      -- The log row of the task has the reason of a cancellation or failure. The reset of a blocked task has no row in
      -- the log of the task.
      p_actor => p_actor,
      p_reason => case when p_sweep in ('reset', 'undo') then p_reason end,
      p_error => case when l.to_state = 'error' then left(p_reason, 200) end,
      p_metadata => case when l.position = 2 and p_reason is not null then jsonb_build_object('error', left(p_reason, 200)) end
    )
      from (
        select s.task_uuid, s.step_no, s.state
          from tasker.workflow_steps as s
         where s.task_uuid = p_task_uuid
           and s.state not in ('complete', 'cancelled', 'resolved_manually')
         order by s.step_no
           for no key update
      ) as s
      join tasker.step_sweeps as l
        on l.sweep = p_sweep
       and l.start_state = s.state
       and l.last
      join tasker.step_sweeps as f
        on f.sweep = p_sweep
       and f.start_state = s.state
       and f.position = 1
     order by s.step_no
  );
end;
$$;

comment on function tasker.sweep_moves is
$$Returns the moves of a task's steps when the task is cancelled, fails or is reset, from tasker.step_sweeps. Locks the steps. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/sweep_steps.sql
create or replace function tasker.sweep_steps(p_task tasker.task_facts, p_sweep text, p_reason text, p_actor text)
  returns tasker.task_facts
  language plpgsql
as $$
declare
  v_moves tasker.step_moves[] := tasker.sweep_moves(p_task.task_uuid, p_sweep, p_reason, p_actor);
begin
  if cardinality(v_moves) = 0 then
    return p_task;
  end if;

  if exists (select from unnest(v_moves) as m where m.from_state = 'in_progress') then
    perform tasker.notify_cancelled(
      p_task.namespace, p_task.task_uuid, array(select m.step_no from unnest(v_moves) as m where m.from_state = 'in_progress')
    );
  end if;
  v_moves := tasker.write_moves(v_moves, p_task.namespace);
  perform tasker.count_children(v_moves, case when not p_task.has_added_edges then p_task.named_task_uuid end);
  return tasker.counted(p_task, v_moves);
end;
$$;

comment on function tasker.sweep_steps is
$$Applies tasker.sweep_moves ("cancel", "fail" or "reset") to all steps of a task. Only the counters of their children change. Notifies the workers of running steps. Returns the task's facts with the new counters, which the caller writes.

The number of statements does not depend on the number of steps. Locks the steps. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/clear_ended_tasks.sql
create or replace function tasker.clear_ended_tasks(p_task_uuids uuid[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.timers as m where m.task_uuid = any (p_task_uuids) and m.kind not in ('child_ended', 'cancel_child');
  delete from tasker.waiting_tasks as w where w.task_uuid = any (p_task_uuids);
end;
$$;

comment on function tasker.clear_ended_tasks is
$$Deletes the timers of tasks that have ended, except notes to other tasks, and the rows of these tasks in waiting_tasks. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/task_facts.sql
create or replace function tasker.task_facts(p_task_uuids uuid[])
  returns tasker.task_facts[]
  language plpgsql
as $$
declare
  v_tasks uuid[] := array(select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid) order by u.task_uuid);
  v_first uuid   := v_tasks[1];
  v_last  uuid   := v_tasks[cardinality(v_tasks)];
begin
  -- A locking query returns the newest version of the row, whatever the snapshot of the statement is.
  return array(
    select (
        t.task_uuid, k.namespace, k.transport, t.named_task_uuid, t.has_added_edges, tasker.failure_policy(k.on_failure, t.undo),
        t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
        t.parent_step_uuid, t.undo, t.total_steps, k.runs is not null
      )::tasker.task_facts
      from unnest(v_tasks) as u (task_uuid)
     cross join lateral (
       select
         t.task_uuid, t.named_task_uuid, t.has_added_edges,
         t.state, t.transition_count, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps, t.updated_at,
         t.parent_step_uuid, t.undo, t.total_steps
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.task_uuid between v_first and v_last
          for no key update
     ) as t
      join tasker.creation_plans as k
        on k.named_task_uuid = t.named_task_uuid
  );
end;
$$;

comment on function tasker.task_facts is
$$Locks tasks in the order of their UUIDs, and returns their facts in this order, for tasker.apply_moves. Returns the facts of each task once, and omits tasks that do not exist. Waits for the locks, so a caller that must not wait must already hold them. The facts stay true until the caller moves one of the tasks.

tasker.lock_task_facts does the same for one task.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/advance_tasks.sql
create or replace function tasker.advance_tasks(p_task_uuids uuid[], p_processor uuid default null)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_open  uuid[];
  v_tasks tasker.task_facts[];
begin
  -- A task whose start is in the future must not start, even if another call changes it.
  select array_agg(t.task_uuid)
    into v_open
    from unnest(p_task_uuids) as u (task_uuid)
   cross join lateral (
     select t.task_uuid
       from tasker.tasks as t
      where t.task_uuid = u.task_uuid
        and not t.complete
        and not exists (
          select
            from tasker.timers as m
           where m.task_uuid = t.task_uuid
             and m.kind = 'start_task'
             and m.due_at > tasker.clock()
        )
     offset 0
   ) as t;

  delete from tasker.waiting_tasks as w where w.task_uuid = any (p_task_uuids);
  delete from tasker.timers as m
   where m.task_uuid = any (p_task_uuids)
     and (m.kind = 'advance_task' or m.kind = 'start_task' and m.task_uuid = any (v_open));

  v_tasks := tasker.task_facts(v_open);
  perform tasker.apply_moves(tasker.ready_moves(v_tasks), v_tasks, p_processor);
end;
$$;

comment on function tasker.advance_tasks is
$$Starts or advances these tasks: enqueues or skips ready steps, and computes the state of each task. Tasks that have ended or start later do not change.

The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/advance_noted.sql
create or replace function tasker.advance_noted(p_task_uuids uuid[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_deferred uuid[] := array(select w.task_uuid from tasker.waiting_tasks as w where w.task_uuid = any (p_task_uuids));
begin
  if cardinality(v_deferred) > 0 then
    delete from tasker.timers as m
     where m.task_uuid = any (v_deferred)
       and m.kind = 'advance_task';
  end if;
  perform tasker.advance_tasks(array(select u.task_uuid from unnest(p_task_uuids) as u (task_uuid) where u.task_uuid <> all (v_deferred)), p_processor);
end;
$$;

comment on function tasker.advance_noted is
$$Advances tasks whose note "advance_task" is due. If the start of a task is deferred, only deletes the note. The caller holds the locks of the tasks and of their timers.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/find_deferred_tasks.sql
create or replace function tasker.find_deferred_tasks(p_limit integer, p_seen uuid[] default '{}')
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_uuids uuid[];
begin
  -- The query locks rows one after the other, in the order of the index, until it has p_limit rows. So no caller locks more
  -- rows than it hands out, and two callers skip each other's rows. The query locks each task before its row in
  -- waiting_tasks. So a transaction that holds a task never waits for a caller of this function.
  select array_agg(w.task_uuid)
    into v_uuids
    from (
      select o.task_uuid
        from tasker.waiting_tasks as o
       cross join lateral (
         select
           from tasker.tasks as t
          where t.task_uuid = o.task_uuid
            for no key update skip locked
       ) as t
       where o.task_uuid <> all (p_seen)
         and o.discovered_until is null
         and o.dispatch_rank < 'infinity' -- always true; the condition makes the plan read the index from its first row
       order by o.dispatch_rank desc, o.task_uuid
       limit p_limit
         for update of o skip locked
    ) as w;
  return coalesce(v_uuids, '{}');
end;
$$;

comment on function tasker.find_deferred_tasks is
$$Locks the next p_limit tasks whose start was deferred, by computed priority, and returns them. Skips tasks in p_seen, and
tasks that another session has locked or discovered.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/release_discoveries.sql
create or replace function tasker.release_discoveries()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_over uuid[];
begin
  if not exists (select from tasker.waiting_tasks as w where w.discovered_until <= tasker.clock()) then
    return;
  end if;
  v_over := array(
    select w.task_uuid
      from tasker.waiting_tasks as w
     where w.discovered_until <= tasker.clock()
     order by w.discovered_until
     limit 1000
       for update skip locked
  );
  update tasker.waiting_tasks as w
     set discovered_until = null
   where w.task_uuid = any (v_over);
end;
$$;

comment on function tasker.release_discoveries is
$$Makes up to 1,000 deferred tasks discoverable again whose discovery lease has ended before they were started. Waits for no lock.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/put_tasks_aside.sql
create or replace function tasker.put_tasks_aside(p_task_uuids uuid[], p_until timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.waiting_tasks as w
     set discovered_until = p_until
   where w.task_uuid = any (p_task_uuids);

  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select u.task_uuid, 'advance_task', p_until, tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids) as u (task_uuid)
   where not exists (select from tasker.waiting_tasks as w where w.task_uuid = u.task_uuid)
  on conflict (task_uuid, step_no, kind) do update
    set due_at = excluded.due_at;
end;
$$;

comment on function tasker.put_tasks_aside is
$$Hides tasks from discovery until p_until. For a task whose start is deferred, sets discovered_until in its row of waiting_tasks. For any other task, sets its timer advance_task, which a claim fires at p_until. The caller holds the locks of the tasks and of their timers.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/start_one_by_one.sql
create or replace function tasker.start_one_by_one(p_task_uuids uuid[], p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_task  uuid;
  v_pause interval;
  v_count integer := 0;
begin
  -- PostgreSQL caches at most 64 subtransactions of a session, so start at most 60 tasks. All other tasks still wait.
  foreach v_task in array p_task_uuids[:60] loop
    begin
      if tasker.lock_tasks(array[v_task]) <> '{}' then
        perform from tasker.waiting_tasks as w where w.task_uuid = v_task;
        if found then
          perform tasker.advance_tasks(array[v_task], p_processor);
          v_count := v_count + 1;
        end if;
      end if;
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      v_pause := tasker.warn_of_failure(format('the start of task %s', v_task), sqlstate, sqlerrm);
      if tasker.lock_tasks(array[v_task]) <> '{}' then
        perform tasker.put_tasks_aside(array[v_task], tasker.clock() + v_pause);
      end if;
    end;
  end loop;
  return v_count;
end;
$$;

comment on function tasker.start_one_by_one is
$$Starts at most 60 deferred tasks, each in its own subtransaction, and returns how many it started. The function
tasker.start_deferred_tasks calls it after an error of one task has rolled back all tasks. Postpones tasks that fail.
Locks each task again, without waiting.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/start_deferred_tasks.sql
create or replace function tasker.start_deferred_tasks(p_limit integer, p_processor uuid)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_locked uuid[];
begin
  perform tasker.release_discoveries();
  -- The subtransaction includes the locks, for the reason that tasker.fire_timers gives.
  begin
    v_locked := tasker.lock_schedules(tasker.find_deferred_tasks(p_limit));
    if cardinality(v_locked) > 0 then
      perform tasker.advance_tasks(v_locked, p_processor);
    end if;
    return cardinality(v_locked);
  exception when others then
    if v_locked is null or tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  return tasker.start_one_by_one(v_locked, p_processor);
end;
$$;

comment on function tasker.start_deferred_tasks is
$$Starts at most p_limit tasks whose start was deferred, by computed priority, and returns how many it started. Skips tasks
that another session holds or has discovered. If a task fails, calls tasker.start_one_by_one, which starts each task in
its own subtransaction.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/queue_exists.sql
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
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/discard_result_messages.sql
create or replace function tasker.discard_result_messages(p_limit integer)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.queue_exists('orchestration_step_results') then
    perform tasker.queue_table('orchestration_step_results');
    perform pgmq.delete('orchestration_step_results', array(
      select m.msg_id from pgmq.read('orchestration_step_results', 30, p_limit) as m
    ));
  end if;
end;
$$;

comment on function tasker.discard_result_messages is
$$Deletes up to p_limit messages of orchestration_step_results, which announced recorded results. No result is lost, because the rows of tasker.step_queue decide which results are processed.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/refused_results.sql
create or replace function tasker.refused_results(
  p_results   tasker.step_results[],
  p_locked    uuid[],
  p_held      boolean[],
  p_bytes     integer
)
  returns text[]
  language plpgsql
  stable
as $$
begin
  return array(
    select case
        when p_locked is not null and not (r.held and tasker.task_uuid_of(r.step_uuid) = any (p_locked)) then 'busy'
        when r.error is null and (octet_length(r.result::text) > p_bytes or tasker.is_too_deep(r.result)) then 'too_large'
      end
      from unnest(p_results, p_held) with ordinality as r (
        step_uuid, claim_no, result, error, permanent, backoff_seconds, execution_time_ms, held, position
      )
     order by r.position
  );
end;
$$;

comment on function tasker.refused_results is
$$Returns, for each result, the reason why it is refused before it is recorded: "busy" if its task or step could not be locked, "too_large", or null if it is not refused. p_locked and p_held are null if the caller waits for every task and step. Returns null instead of an array of nulls.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/failure_metadata.sql
create or replace function tasker.failure_metadata(p_error text, p_backoff_seconds double precision, p_permanent boolean)
  returns jsonb
  language sql
  stable
  parallel safe
begin atomic
  select case when p_error is not null then jsonb_strip_nulls(jsonb_build_object(
    'error', p_error, 'backoff_seconds', p_backoff_seconds, 'permanent', nullif(p_permanent, false)
  )) end;
end;

comment on function tasker.failure_metadata is
$$Returns the metadata of a failure for the log, or null for a result without an error.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/recorded_answer.sql
create or replace function tasker.recorded_answer(p_state tasker.step_state)
  returns tasker.result_answer
  language sql
  immutable
  parallel safe
begin atomic
  select case p_state
    when 'complete' then 'completed'::tasker.result_answer
    when 'error' then 'failed'
    when 'waiting_for_retry' then 'retrying'
    else 'recorded'
  end;
end;

comment on function tasker.recorded_answer is
$$Returns the answer to a result that moved its step to this state.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/result_answer.sql
create or replace function tasker.result_answer(
  p_state     tasker.step_state,
  p_claim_no  integer,
  p_held_no   integer,
  p_failed    boolean,
  p_refusal   text
)
  returns tasker.result_answer
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_state is null then 'not_found'::tasker.result_answer
    when p_state = 'cancelled' then 'cancelled'
    when p_refusal = 'busy' then 'busy'
    when p_claim_no <> p_held_no then 'stale'
    when p_state = 'in_progress' then case p_refusal when 'too_large' then 'too_large'::tasker.result_answer else 'busy' end
    when p_state in ('complete', 'resolved_manually', 'enqueued_for_orchestration') then 'already_complete'
    when not p_failed then 'stale'
    when p_state = 'waiting_for_retry' then 'retrying'
    when p_state = 'error' then 'failed'
    when p_state = 'enqueued_as_error_for_orchestration' then 'recorded'
    else 'stale'
  end;
end;

comment on function tasker.result_answer is
$$Returns the answer to a result that was not recorded, computed from the state and claim of its step, the claim of the result, whether the result is a failure, and the reason of the refusal. A failure that was already recorded gets the same answer as before.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/answer_results.sql
create or replace function tasker.answer_results(
  p_results   tasker.step_results[],
  p_refusals  text[],
  p_written   tasker.step_moves[]
)
  returns tasker.step_answers[]
  language plpgsql
  stable
as $$
declare
  v_move    tasker.step_moves;
  v_aligned tasker.step_answers[];
begin
  if cardinality(p_written) = cardinality(p_results) then
    return array(
      select (
          tasker.step_uuid(m.task_uuid, m.step_no), m.claim_no, tasker.recorded_answer(m.to_state), m.next_retry_at
        )::tasker.step_answers
        from unnest(p_written) as m
       order by m.position
    );
  end if;

  -- Store each answer at the position of its result, because a join would compare each row with each other row.
  v_aligned := array_fill(null::tasker.step_answers, array[cardinality(p_results)]);
  foreach v_move in array p_written loop
    v_aligned[v_move.position] := row(
      null, null, tasker.recorded_answer(v_move.to_state), v_move.next_retry_at
    )::tasker.step_answers;
  end loop;
  return array(
    select (
        r.step_uuid,
        r.claim_no,
        coalesce(r.answer, tasker.result_answer(s.state, s.claim_no, r.claim_no, r.error is not null, r.refusal)),
        coalesce(r.next_retry_at, case when r.error is not null and s.claim_no = r.claim_no then s.next_retry_at end)
      )::tasker.step_answers
      from unnest(p_results, p_refusals, v_aligned) with ordinality as r (
        step_uuid, claim_no, result, error, permanent, backoff_seconds, execution_time_ms, refusal,
        written_step_uuid, written_claim_no, answer, next_retry_at, position
      )
      left join lateral (
        select s.state, s.claim_no, s.next_retry_at
          from tasker.workflow_steps as s
         where s.task_uuid = tasker.task_uuid_of(r.step_uuid)
           and s.step_no = tasker.step_no_of(r.step_uuid)
        offset 0
      ) as s
        on true
     order by r.position
  );
end;
$$;

comment on function tasker.answer_results is
$$Returns the answer to each result of a call, in order: for a written result its outcome, for any other result an answer from the state of its step.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/result_moves.sql
create or replace function tasker.result_moves(
  p_results   tasker.step_results[],
  p_refusals  text[],
  p_failed    boolean,
  p_settings  tasker.settings_now
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now timestamptz := tasker.write_clock();
begin
  -- In this case no step has to be read.
  if not p_failed and p_refusals is null then
    return array(
      select tasker.step_move(
        p_position => r.ordinality, p_task_uuid => tasker.task_uuid_of(r.step_uuid),
        p_step_no => tasker.step_no_of(r.step_uuid), p_from_state => 'in_progress',
        p_first_event => 'EnqueueForOrchestration', p_via_state => 'enqueued_for_orchestration', p_event => 'Complete',
        p_to_state => 'complete', p_held_claim_no => r.claim_no, p_execution_time_ms => r.execution_time_ms,
        p_result => r.result
      )
        from unnest(p_results) with ordinality as r
       order by r.step_uuid
    );
  end if;

  return array(
    select tasker.step_move(
      p_position => r.position, p_task_uuid => r.task_uuid, p_step_no => r.step_no, p_from_state => 'in_progress',
      p_first_event => 'EnqueueForOrchestration',
      p_via_state => case when r.error is null
          then 'enqueued_for_orchestration'::tasker.step_state
          else 'enqueued_as_error_for_orchestration'::tasker.step_state
        end,
      p_event => case r.to_state when 'complete' then 'Complete' when 'error' then 'Fail' else 'WaitForRetry' end,
      p_to_state => r.to_state, p_held_claim_no => r.claim_no,
      p_next_retry_at => case when r.to_state = 'waiting_for_retry' then tasker.retry_at(
          v_now, p_settings, r.attempts, r.backoff_seconds, r.backoff_base_seconds, r.backoff_multiplier, r.max_backoff_seconds
        ) end,
      p_execution_time_ms => tasker.execution_ms(r.execution_time_ms, r.last_attempted_at, v_now),
      p_backoff_seconds => case when r.error is not null then r.backoff_seconds end, p_error => r.error,
      p_result => case when r.error is null then r.result end,
      p_metadata => tasker.failure_metadata(r.error, r.backoff_seconds, r.permanent)
    )
      from (
        select
          u.*, tasker.task_uuid_of(u.step_uuid) as task_uuid, tasker.step_no_of(u.step_uuid) as step_no,
          s.*,
          tasker.result_state(u.error is not null, coalesce(u.permanent, false), s.retryable, s.attempts, s.max_attempts) as to_state
        from unnest(p_results, p_refusals) with ordinality as u (
          step_uuid, claim_no, result, error, permanent, backoff_seconds, execution_time_ms, refusal, position
        )
        -- These columns do not change while the step is under its claim.
        left join lateral (
          select s.retryable, s.attempts, s.max_attempts, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds,
                 s.last_attempted_at
            from tasker.workflow_steps as s
           where (u.error is not null or coalesce(u.execution_time_ms, 0) = 0)
             and s.task_uuid = tasker.task_uuid_of(u.step_uuid)
             and s.step_no = tasker.step_no_of(u.step_uuid)
          offset 0
        ) as s
          on true
        where u.refusal is null
      ) as r
     order by r.step_uuid
  );
end;
$$;

comment on function tasker.result_moves is
$$Returns the moves that follow from results, in the order of their steps. Each move passes through the state that records the result for an orchestrator. A refused result has no move. p_refusals is null if no result is refused. p_failed says whether a result has an error.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/deferred_moves.sql
create or replace function tasker.deferred_moves(p_taken tasker.step_queue[], p_locked uuid[], p_settings tasker.settings_now)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now timestamptz := tasker.write_clock();
begin
  return array(
    select tasker.step_move(
      p_task_uuid => r.task_uuid, p_step_no => r.step_no, p_from_state => r.state,
      p_event => case r.to_state when 'complete' then 'Complete' when 'error' then 'Fail' else 'WaitForRetry' end,
      p_to_state => r.to_state,
      p_next_retry_at => case when r.to_state = 'waiting_for_retry' then tasker.retry_at(
          v_now, p_settings, r.attempts, r.backoff_request_seconds, r.backoff_base_seconds, r.backoff_multiplier, r.max_backoff_seconds
        ) end
    )
      from (
        select
          s.*,
          tasker.result_state(
            s.state = 'enqueued_as_error_for_orchestration',
            (
              select coalesce(l.metadata ->> 'permanent' = 'true', false)
                from tasker.step_log as l
               where l.task_uuid = s.task_uuid
                 and l.step_no = s.step_no
                 and l.sort_key = s.transition_count
            ),
            s.retryable, s.attempts, s.max_attempts
          ) as to_state
        from unnest(p_taken) as q
        cross join lateral (
          select
            s.task_uuid, s.step_no, s.state, s.transition_count, s.retryable, s.attempts, s.max_attempts,
            s.backoff_request_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds
            from tasker.workflow_steps as s
           where s.task_uuid = q.task_uuid
             and s.step_no = q.step_no
             and s.state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration')
             for no key update skip locked
        ) as s
        where q.task_uuid = any (p_locked)
      ) as r
     order by r.task_uuid, r.step_no
  );
end;
$$;

comment on function tasker.deferred_moves is
$$Returns the moves of the steps whose recorded results wait in these queue rows. A move leads to the state complete, error or waiting_for_retry. Returns moves only for tasks in p_locked, which the caller has locked. Locks the steps without waiting, and skips locked steps.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/step_results.sql
create or replace function tasker.step_results(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_results             jsonb[],
  p_errors              text[],
  p_permanent           boolean[],
  p_backoff_seconds     double precision[],
  p_execution_times_ms  bigint[]
)
  returns tasker.step_results[]
  language plpgsql
  immutable
as $$
declare
  v_steps integer := coalesce(cardinality(p_step_uuids), 0);
begin
  -- One expression checks a call with one result. The search for the invalid array, which follows, costs more.
  if v_steps = 1 then
    if '[1:1]' = all (array[
         array_dims(p_step_uuids), array_dims(p_claim_nos), coalesce(array_dims(p_results), '[1:1]'),
         coalesce(array_dims(p_errors), '[1:1]'), coalesce(array_dims(p_permanent), '[1:1]'),
         coalesce(array_dims(p_backoff_seconds), '[1:1]'), coalesce(array_dims(p_execution_times_ms), '[1:1]')
       ])
       and num_nulls(p_step_uuids[1], p_claim_nos[1]) = 0
       and coalesce(length(p_errors[1]), 0) <= 65536
       and coalesce(p_backoff_seconds[1], 0) between 0 and 31536000
       and coalesce(p_execution_times_ms[1], 0) between 0 and 999999999 then
      return array[(
        p_step_uuids[1], p_claim_nos[1], p_results[1], p_errors[1], p_permanent[1], p_backoff_seconds[1], p_execution_times_ms[1]
      )::tasker.step_results];
    end if;
  elsif v_steps = 0 and coalesce(greatest(
    cardinality(p_claim_nos), cardinality(p_results), cardinality(p_errors), cardinality(p_permanent),
    cardinality(p_backoff_seconds), cardinality(p_execution_times_ms)
  ), 0) = 0 then
    return '{}';
  end if;

  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_step_results(v_steps, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms);
  return array(
    -- A time has at most nine digits (11 days), as in direct calls. So sums of times do not overflow, and no result is
    -- refused because of its time.
    select (
        u.step_uuid, u.claim_no, u.result, u.error, u.permanent, u.backoff_seconds,
        case when u.execution_time_ms > 999999999 then 999999999 else u.execution_time_ms end
      )::tasker.step_results
      from unnest(
        p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
      ) as u (step_uuid, claim_no, result, error, permanent, backoff_seconds, execution_time_ms)
  );
end;
$$;

comment on function tasker.step_results is
$$Combines a call's arrays into results. An execution time of more than nine digits becomes the largest number of nine digits. Raises TK422 if the arrays do not match or have invalid elements, TK413 for more than 10,000 results.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/record_result.sql
create or replace function tasker.record_result(p_result tasker.step_results, p_settings tasker.settings_now)
  returns tasker.step_answers
  language plpgsql
as $$
declare
  v_failed  boolean := p_result.error is not null;
  v_refusal text    := case
    when not v_failed and (octet_length(p_result.result::text) > p_settings.result_bytes or tasker.is_too_deep(p_result.result)) then 'too_large'
  end;
  v_task    tasker.task_facts;
  v_step    record;
  v_move    tasker.step_moves;
  v_answer  tasker.step_answers;
begin
  v_move.task_uuid := tasker.task_uuid_of(p_result.step_uuid);
  v_move.step_no := tasker.step_no_of(p_result.step_uuid);
  v_task := tasker.lock_task_facts(v_move.task_uuid);

  if v_task.task_uuid is not null and v_refusal is null then
    if v_failed then
      v_move.from_state := 'in_progress';
      v_move.held_claim_no := p_result.claim_no;
      v_move.first_event := 'EnqueueForOrchestration';
      -- These columns do not change while the step is under its claim.
      select s.retryable, s.attempts, s.max_attempts, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds,
             s.last_attempted_at
        into v_step
        from tasker.workflow_steps as s
       where s.task_uuid = v_move.task_uuid
         and s.step_no = v_move.step_no;
      v_move.via_state := 'enqueued_as_error_for_orchestration';
      v_move.to_state := tasker.result_state(
        true, coalesce(p_result.permanent, false), v_step.retryable, v_step.attempts, v_step.max_attempts
      );
      v_move.event := case v_move.to_state when 'error' then 'Fail' else 'WaitForRetry' end;
      v_move.execution_time_ms := tasker.execution_ms(p_result.execution_time_ms, v_step.last_attempted_at, tasker.write_clock());
      v_move.error := p_result.error;
      v_move.backoff_seconds := p_result.backoff_seconds;
      v_move.metadata := tasker.failure_metadata(p_result.error, p_result.backoff_seconds, p_result.permanent);
      if v_move.to_state = 'waiting_for_retry' then
        v_move.next_retry_at := tasker.retry_at(
          tasker.write_clock(), p_settings, v_step.attempts, p_result.backoff_seconds,
          v_step.backoff_base_seconds, v_step.backoff_multiplier, v_step.max_backoff_seconds
        );
      end if;
    else
      -- This is one expression, because each expression is prepared again in every transaction.
      v_move := tasker.step_move(
        p_task_uuid => v_move.task_uuid, p_step_no => v_move.step_no, p_from_state => 'in_progress', p_to_state => 'complete',
        p_first_event => 'EnqueueForOrchestration', p_via_state => 'enqueued_for_orchestration', p_event => 'Complete',
        p_held_claim_no => p_result.claim_no, p_execution_time_ms => p_result.execution_time_ms, p_result => p_result.result
      );
    end if;
    v_move := tasker.apply_move(v_move, v_task);
    if v_move.task_uuid is not null then
      return (
        p_result.step_uuid, p_result.claim_no, tasker.recorded_answer(v_move.to_state), v_move.next_retry_at
      )::tasker.step_answers;
    end if;
  end if;

  select s.state, s.claim_no, s.next_retry_at
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_result.step_uuid)
     and s.step_no = tasker.step_no_of(p_result.step_uuid);
  v_answer.step_uuid := p_result.step_uuid;
  v_answer.claim_no := p_result.claim_no;
  v_answer.answer := tasker.result_answer(v_step.state, v_step.claim_no, p_result.claim_no, v_failed, v_refusal);
  if v_failed and v_step.claim_no = p_result.claim_no then
    v_answer.next_retry_at := v_step.next_retry_at;
  end if;
  return v_answer;
end;
$$;

comment on function tasker.record_result is
$$Records one result by its key and returns the answer. tasker.record_results does the same for many results. Waits for the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/record_results.sql
create or replace function tasker.record_results(
  p_results   tasker.step_results[],
  p_settings  tasker.settings_now,
  p_wait      boolean
)
  returns tasker.step_answers[]
  language plpgsql
as $$
declare
  v_uuids    uuid[];
  v_failed   boolean;
  v_large    boolean;
  v_tasks    tasker.task_facts[];
  v_locked   uuid[];
  v_held     boolean[];
  v_refusals text[];
  v_moves    tasker.step_moves[];
  v_written  tasker.step_moves[] := '{}';
begin
  select
    array_agg(tasker.task_uuid_of(r.step_uuid)), bool_or(r.error is not null),
    bool_or(r.error is null and (octet_length(r.result::text) > p_settings.result_bytes or tasker.is_too_deep(r.result)))
    into v_uuids, v_failed, v_large
    from unnest(p_results) as r;
  if p_wait then
    v_tasks := tasker.task_facts(v_uuids);
  else
    -- Skip the steps of tasks that this transaction could not lock. The holder of such a task may be waiting
    -- for the steps.
    v_locked := tasker.lock_tasks(v_uuids);
    v_held := tasker.lock_steps(
      array(
        select case when u.task_uuid = any (v_locked) then u.task_uuid end
          from unnest(v_uuids) with ordinality as u (task_uuid, position)
         order by u.position
      ),
      array(select tasker.step_no_of(r.step_uuid) from unnest(p_results) with ordinality as r order by r.ordinality)
    );
  end if;
  if v_large or not p_wait then
    v_refusals := tasker.refused_results(p_results, v_locked, v_held, p_settings.result_bytes);
  end if;

  v_moves := tasker.result_moves(p_results, v_refusals, v_failed, p_settings);
  if cardinality(v_moves) > 0 then
    if v_refusals is not null then
      v_tasks := tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m));
    end if;
    v_written := tasker.apply_moves(v_moves, v_tasks);
  end if;
  return tasker.answer_results(p_results, v_refusals, v_written);
end;
$$;

comment on function tasker.record_results is
$$Records the valid results. Returns the answer to each result, in order.

Locks the tasks in the order of their UUIDs, then the steps, then their queue rows. If p_wait is false, does not wait for tasks and steps that other transactions hold, and answers "busy" for them.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/record.sql
create or replace function tasker.record(p_results tasker.step_results[], p_settings tasker.settings_now)
  returns tasker.step_answers[]
  language plpgsql
  set lock_timeout = '2s'
as $$
begin
  if cardinality(p_results) = 1 then
    return array[tasker.record_result(p_results[1], p_settings)];
  end if;
  return tasker.record_results(p_results, p_settings, true);
exception
  -- Another transaction has locked one of these tasks. The other results must not wait for it.
  when lock_not_available then
    return tasker.record_results(p_results, p_settings, false);
end;
$$;

comment on function tasker.record is
$$Records results and advances their tasks. Returns one answer for each result, in order. Waits at most two seconds for a lock. After that it answers "busy" for the results whose task or step it cannot lock, and records all other results.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/judge_payload.sql
create or replace function tasker.judge_payload(p_task_uuid uuid, p_named_task_uuid uuid, p_name text, p_payload jsonb)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.admit_payload(p_task_uuid, p_named_task_uuid, p_name, p_payload);
end;
$$;

comment on function tasker.judge_payload is
$$Raises an error if the payload of a signal to a task must not be stored.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/private/judge_value.sql
create or replace function tasker.judge_value(p_step_uuid uuid, p_kind text, p_value jsonb, p_error text)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.admit_value(p_step_uuid, p_kind, p_value, p_error);
end;
$$;

comment on function tasker.judge_value is
$$Raises an error if a value that a running step saves must not be stored. The caller has found the bit 8192 in the step's effects.$$;
-- <<<

-- >>> db/schema/functions/kernel/result/complete_steps.sql
create or replace function tasker.complete_steps(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_results             jsonb[]   default null,
  p_execution_times_ms  bigint[]  default null
)
  returns setof tasker.step_answers
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
  v_settings tasker.settings_now;
  v_results  tasker.step_results[];
begin
  perform tasker.check_isolation();
  v_results := tasker.step_results(p_step_uuids, p_claim_nos, p_results, null, null, null, p_execution_times_ms);
  select c.* into v_settings from tasker.settings_now as c;
  if v_settings.any_bound or tasker.is_scoped() then
    perform tasker.check_bound_steps(p_step_uuids);
  end if;
  if cardinality(v_results) > 0 then
    return query select a.* from unnest(tasker.record(v_results, v_settings)) as a;
  end if;
end;
$$;

comment on function tasker.complete_steps is
$$Records results of claimed steps and advances their tasks: enqueues or skips child steps, and ends tasks that are done. Returns one answer for each step, in order: "completed", "recorded" (an orchestrator will process the result), "already_complete", "stale" (the step has a newer claim), "cancelled", "too_large", "not_found" or "busy". The answer "too_large" means that the result is over the setting "result_bytes" or nested deeper than 1,000 levels. The step then stays claimed, and the worker should fail it. The answer "busy" means that another transaction has held the task for more than two seconds: send the result again.

Idempotent: a result with an older claim number changes nothing. Each of the other arrays is null or has an element for each step. If the execution time is null or 0, the time since the claim is recorded. Locks the tasks in the order of their UUIDs, then the steps, then their queue rows. Raises TK422 if the arrays do not match, TK413 for more than 10,000 steps, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.complete_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/result/fail_steps.sql
create or replace function tasker.fail_steps(
  p_step_uuids          uuid[],
  p_claim_nos           integer[],
  p_errors              text[],
  p_permanent           boolean[]  default null,
  p_backoff_seconds     double precision[]  default null,
  p_execution_times_ms  bigint[]   default null
)
  returns setof tasker.step_answers
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
  v_settings tasker.settings_now;
  v_results  tasker.step_results[];
begin
  if coalesce(cardinality(p_errors), 0) <> coalesce(cardinality(p_step_uuids), 0)
     or array_ndims(p_errors) > 1
     or array_position(p_errors, null) is not null then
    raise exception using
      errcode = 'TK422',
      message = 'a failure has no error',
      hint    = 'Pass for each step what went wrong.';
  end if;

  perform tasker.check_isolation();
  v_results := tasker.step_results(
    p_step_uuids, p_claim_nos, null, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
  );
  select c.* into v_settings from tasker.settings_now as c;
  if v_settings.any_bound or tasker.is_scoped() then
    perform tasker.check_bound_steps(p_step_uuids);
  end if;
  if cardinality(v_results) > 0 then
    return query select a.* from unnest(tasker.record(v_results, v_settings)) as a;
  end if;
end;
$$;

comment on function tasker.fail_steps is
$$Records failures of claimed steps. A step is retried later: the answer is "retrying", with next_retry_at. If
p_permanent is true, the template does not retry the step or its attempts are used up, the step fails for good: the
answer is "failed", and its dependents are blocked. The other answers are the same as for complete_steps.

p_backoff_seconds sets the time until the next attempt. If it is null, the template's policy or the settings decide.
Idempotent: a failure with an older claim number changes nothing. Each of the other arrays is null or has an element for
each step. Locks and errors are the same as for complete_steps. Also raises TK422 if an error is null.$$;

grant execute on function tasker.fail_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/retry_moves.sql
create or replace function tasker.retry_moves(p_task_uuids uuid[], p_step_nos integer[], p_tasks tasker.task_facts[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
declare
  -- Another attempt is a start, so a task that halts on its failure makes no further attempt.
  v_halted uuid[] := array(select f.task_uuid from unnest(p_tasks) as f where tasker.task_halts(f.on_failure, f.failed_steps));
begin
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'waiting_for_retry',
      p_first_event => case when not s.halted then 'Retry' end,
      p_via_state => case when not s.halted then 'pending'::tasker.step_state end,
      p_event => case when s.halted then 'Retry' else tasker.ready_event(s.ready_state) end,
      p_to_state => case when s.halted then 'pending'::tasker.step_state else s.ready_state end
    )
      from (
        select
          s.task_uuid, s.step_no, s.task_uuid = any (v_halted) as halted,
          case when s.await is null then 'enqueued'::tasker.step_state else 'suspended' end as ready_state
          from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
         cross join lateral (
           select s.task_uuid, s.step_no, s.await
             from tasker.workflow_steps as s
            where s.task_uuid = u.task_uuid
              and s.step_no = u.step_no
              and s.state = 'waiting_for_retry'
           offset 0
         ) as s
      ) as s
     order by s.task_uuid, s.step_no
  );
end;
$$;

comment on function tasker.retry_moves is
$$Returns the moves of steps whose wait for the next attempt is over. They move to "enqueued" or, if the task halts on a failure, to "pending", where they wait until an operator has dealt with the failure.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/fire_retries.sql
create or replace function tasker.fire_retries(p_task_uuids uuid[], p_step_nos integer[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_tasks tasker.task_facts[] := tasker.task_facts(p_task_uuids);
  v_moves tasker.step_moves[] := tasker.retry_moves(p_task_uuids, p_step_nos, v_tasks);
begin
  if cardinality(v_moves) < cardinality(p_task_uuids) then
    v_tasks := tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m));
  end if;
  perform tasker.apply_moves(v_moves, v_tasks, p_processor);
  -- Also delete the timers of steps that no longer wait.
  delete from tasker.timers as t
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where t.task_uuid = any (array[u.task_uuid])
     and t.step_no = u.step_no
     and t.kind = 'retry_step'
     and cardinality(v_moves) < cardinality(p_task_uuids);
end;
$$;

comment on function tasker.fire_retries is
$$Ends the wait of these steps for their next attempt and applies tasker.retry_moves. The caller holds their tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/expire_tasks.sql
create or replace function tasker.expire_tasks(p_task_uuids uuid[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Fail the tasks in the order of their UUIDs, because each call also locks the task's steps.
  perform tasker.move_task(t, 'Timeout', 'error', null, '{"reason": "its deadline has passed"}', null)
     from (
       select u.task_uuid
         from unnest(p_task_uuids) as u (task_uuid)
        order by u.task_uuid
     ) as u
    cross join lateral (
      select t.*
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
         and not t.complete
      offset 0
    ) as t;
end;
$$;

comment on function tasker.expire_tasks is
$$Fails the open tasks among the given tasks, because their deadline has passed. The caller holds the locks of the tasks.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/fire_events.sql
create or replace function tasker.fire_events(p_due tasker.timers[], p_budgets tasker.fire_budgets)
  returns integer
  language plpgsql
as $$
declare
  v_xact   bigint := pg_current_xact_id()::text::bigint;
  v_events uuid[] := array(select d.task_uuid from unnest(p_due) as d where d.kind = 'deliver_event' and d.xact <> v_xact);
  v_own    uuid[] := array(select d.task_uuid from unnest(p_due) as d where d.kind = 'deliver_event' and d.xact = v_xact);
begin
  if cardinality(v_events) > 0 then
    perform tasker.deliver_events(
      v_events, least(p_budgets.timers, p_budgets.receivers), p_budgets.head_start, p_budgets.processor_uuid
    );
  end if;
  return cardinality(v_events)
    + case when cardinality(v_own) > 0 then tasker.deliver_own_events(v_own, p_budgets.timers, p_budgets.processor_uuid) else 0 end;
end;
$$;

comment on function tasker.fire_events is
$$Delivers the events whose notes are due to the steps that wait for them. Events of other transactions go to at most p_budgets.receivers steps; events of this transaction go to the steps that this transaction sees. Returns the number of due events of other transactions, plus the number of steps that took an event of this transaction.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/fire_taken.sql
create or replace function tasker.fire_taken(
  p_due      tasker.timers[],
  p_locked   uuid[],
  p_budgets  tasker.fire_budgets
)
  returns integer
  language plpgsql
as $$
declare
  v_expired uuid[];
  v_started uuid[];
  v_noted   uuid[];
  v_retried uuid[];
  v_retries integer[];
  v_fired   integer;
  v_others  boolean;
begin
  select
    array_agg(d.task_uuid) filter (where l.locked and d.kind = 'task_deadline'),
    array_agg(d.task_uuid) filter (where l.locked and d.kind = 'start_task'),
    array_agg(d.task_uuid) filter (where l.locked and d.kind = 'advance_task'),
    array_agg(d.task_uuid) filter (where l.locked and d.kind = 'retry_step'),
    array_agg(d.step_no) filter (where l.locked and d.kind = 'retry_step'),
    count(*) filter (where l.locked and d.kind in ('task_deadline', 'start_task', 'advance_task', 'retry_step')),
    bool_or(d.kind not in ('task_deadline', 'start_task', 'advance_task', 'retry_step'))
    into v_expired, v_started, v_noted, v_retried, v_retries, v_fired, v_others
    from unnest(p_due) as d
   cross join lateral (select d.task_uuid = any (p_locked) as locked) as l;
  -- Fire deadlines first, because they end tasks and delete the other timers of these tasks.
  if v_expired is not null then
    perform tasker.expire_tasks(v_expired);
  end if;
  if v_started is not null then
    perform tasker.advance_tasks(v_started, p_budgets.processor_uuid);
  end if;
  if v_noted is not null then
    perform tasker.advance_noted(v_noted, p_budgets.processor_uuid);
  end if;
  if v_retried is not null then
    perform tasker.fire_retries(v_retried, v_retries, p_budgets.processor_uuid);
  end if;
  if v_others then
    v_fired := v_fired + tasker.due(p_due, p_locked, p_budgets);
  end if;
  return v_fired;
end;
$$;

comment on function tasker.fire_taken is
$$Fires timers that tasker.fire_timers has locked. The timers belong to tasks in p_locked or to no task. Timers of the kernel's own kinds fire first, then timers of the kinds of features (tasker.due). Returns how many it fired.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/timers_are_bloated.sql
create or replace function tasker.timers_are_bloated()
  returns boolean
  language sql
  stable
begin atomic
  select pg_stat_get_dead_tuples('tasker.timers'::regclass) > 10000;
end;

comment on function tasker.timers_are_bloated is
$$Returns whether tasker.timers has so many dead rows, which an old snapshot keeps, that it is worth remembering where the live rows begin. The answer comes from statistics, which are about a second old.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/timer_mark.sql
create or replace function tasker.timer_mark(p_now timestamptz)
  returns timestamptz
  language plpgsql
as $$
declare
  v_kept  text[]      := string_to_array(current_setting('tasker.timer_mark', true), ' ');
  v_read  text        := extract(epoch from p_now);
  v_since timestamptz := '-infinity';
  v_first timestamptz;
  v_ok    text;
begin
  if to_timestamp(v_kept[1]::float8) between p_now - interval '1 second' and p_now then
    v_read := v_kept[1];
    v_since := to_timestamp(v_kept[2]::float8);
  end if;
  select min(m.due_at)
    into v_first
    from tasker.timers as m
   where m.due_at >= v_since;

  -- Transactions that are open now may write rows that are dated back to the beginning of the transaction.
  v_first := least(v_first, p_now - interval '250 milliseconds');
  v_ok := set_config('tasker.timer_mark', concat_ws(' ', v_read, extract(epoch from v_first)), false);
  return v_first;
end;
$$;

comment on function tasker.timer_mark is
$$Returns the time from which due timers have to be read: the time of the first timer. Callers use this mark if the table has many dead rows (tasker.timers_are_bloated). For a second, the session keeps the mark and begins there, then it reads from the beginning again. So a timer that was written more than a quarter of a second before its transaction committed may be found a second late. The mark is a setting of the session, because such a setting lives as long as the session and costs no write. Locks nothing.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/error_pause.sql
create or replace function tasker.error_pause(p_code text)
  returns interval
  language sql
  immutable
  parallel safe
begin atomic
  select case
    -- Deadlocks, serialization failures, cancelled statements and shutdowns end the call, and the caller repeats it.
    when left(p_code, 2) in ('40', '57') then null
    -- A full disk, a lack of memory or a lock that is not available is a temporary state of the server.
    when left(p_code, 2) in ('53', '55', '58') then interval '1 second'
    else interval '1 minute'
  end;
end;

comment on function tasker.error_pause is
$$Returns the time by which due work is postponed after an error with this SQLSTATE, or null if the error has to end the call.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/warn_of_failure.sql
create or replace function tasker.warn_of_failure(p_what text, p_code text, p_error text)
  returns interval
  language plpgsql
as $$
declare
  v_pause interval := tasker.error_pause(p_code);
begin
  raise warning using
    errcode = '01000',
    message = format('%s failed: %s', p_what, left(p_error, 1000)),
    detail  = format('The code of the error is %s.', p_code),
    hint    = format('It is tried again in %s s; the others go on.', extract(epoch from v_pause)::integer);
  return v_pause;
end;
$$;

comment on function tasker.warn_of_failure is
$$Warns that due work has failed with this SQLSTATE and message, and returns the time by which it is postponed. The error does not end the call (tasker.error_pause).$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/postpone_timer.sql
create or replace function tasker.postpone_timer(p_timer tasker.timers, p_code text, p_error text)
  returns void
  language plpgsql
as $$
declare
  v_pause interval := tasker.warn_of_failure(
    format(
      'timer %s of %s %s%s', p_timer.kind,
      case p_timer.kind when 'fire_schedule' then 'schedule' when 'deliver_event' then 'event' else 'task' end,
      p_timer.task_uuid, case when p_timer.step_no > 0 then format(', step %s,', p_timer.step_no) else '' end
    ),
    p_code, p_error
  );
begin
  perform
     from tasker.timers as m
    where m.task_uuid = p_timer.task_uuid
      and m.step_no = p_timer.step_no
      and m.kind = p_timer.kind
      and m.due_at <= p_timer.due_at
      for update skip locked;
  -- If another session holds the timer in the meantime, that session postpones it.
  if found then
    update tasker.timers as m
       set due_at = tasker.clock() + v_pause
     where m.task_uuid = p_timer.task_uuid
       and m.step_no = p_timer.step_no
       and m.kind = p_timer.kind;
    delete from tasker.failed_timers as f
     where not exists (
       select
         from tasker.timers as m
        where m.task_uuid = f.task_uuid
          and m.step_no = f.step_no
          and m.kind = f.kind
     );
    insert into tasker.failed_timers as f (task_uuid, step_no, kind, due_at, code, error, failed_at)
    values (
      p_timer.task_uuid, p_timer.step_no, p_timer.kind, tasker.clock() + v_pause, p_code, left(p_error, 1000), tasker.clock()
    )
    on conflict (task_uuid, step_no, kind) do update
       set due_at    = excluded.due_at,
           failures  = f.failures + 1,
           code      = excluded.code,
           error     = excluded.error,
           failed_at = excluded.failed_at;
  end if;
end;
$$;

comment on function tasker.postpone_timer is
$$Postpones a timer whose firing has failed with this SQLSTATE and message: by a second if the state of the server may be the cause, otherwise by a minute. Warns, and records the failure for tasker.check_installation.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/fire_set.sql
create or replace function tasker.fire_set(
  p_due      tasker.timers[],
  p_budgets  tasker.fire_budgets
)
  returns integer
  language plpgsql
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_locked uuid[];
begin
  -- A task that another transaction holds is tried again soon. The task of a map is tried again sooner, because its
  -- lock is usually held for results of its own instances.
  v_locked := tasker.lock_tasks(array(select d.task_uuid from unnest(p_due) as d where d.kind not in ('fire_schedule', 'deliver_event')));
  if cardinality(v_locked) < cardinality(p_due) then
    update tasker.timers as m
       set due_at = v_now + case
             when d.kind = 'expand_map' then interval '20 milliseconds'
             when d.kind in ('start_child', 'child_ended', 'cancel_child', 'match_wait', 'advance_task', 'serve_run') then interval '100 milliseconds'
             else interval '1 second'
           end
      from unnest(p_due) as d
     where m.task_uuid = any (array[d.task_uuid])
       and m.step_no = d.step_no
       and m.kind = d.kind
       and d.kind not in ('fire_schedule', 'deliver_event')
       and d.task_uuid <> all (v_locked);
  end if;

  return tasker.fire_taken(p_due, v_locked, p_budgets);
end;
$$;

comment on function tasker.fire_set is
$$Locks the tasks of timers that the caller holds. Postpones the timers of tasks that other transactions hold, and fires all other timers. Returns how many timers it fired.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/fire_one_by_one.sql
create or replace function tasker.fire_one_by_one(
  p_due      tasker.timers[],
  p_budgets  tasker.fire_budgets
)
  returns integer
  language plpgsql
as $$
declare
  v_xact  bigint  := pg_current_xact_id()::text::bigint;
  v_timer tasker.timers;
  v_held  tasker.timers[];
  v_wide  boolean := false;
  v_fired integer := 0;
begin
  -- Fire deadlines first, as in a set. Use at most 60 subtransactions, because a session remembers 64 of them. All
  -- other timers stay due.
  for v_timer in
    select d.task_uuid, d.step_no, d.kind, d.due_at, d.xact, d.namespace
      from unnest(p_due) with ordinality as d
     order by d.kind <> 'task_deadline', d.ordinality
     limit 60
  loop
    -- Fire only one map or event, because each of them may use up the call's instances or deliveries. All other timers
    -- stay due.
    continue when v_wide and v_timer.kind in ('expand_map', 'deliver_event');
    begin
      v_held := array(
        select m
          from tasker.timers as m
         where m.task_uuid = v_timer.task_uuid
           and m.step_no = v_timer.step_no
           and m.kind = v_timer.kind
           and m.due_at <= v_timer.due_at
           for update skip locked
      );
      if cardinality(v_held) = 1 and v_timer.kind = 'deliver_event' and v_timer.xact <> v_xact then
        v_fired := v_fired + tasker.due(v_held, '{}', p_budgets, true);
      elsif cardinality(v_held) = 1 then
        v_fired := v_fired + tasker.fire_set(v_held, p_budgets);
      end if;
      v_wide := v_wide or cardinality(v_held) = 1 and v_timer.kind in ('expand_map', 'deliver_event');
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      perform tasker.postpone_timer(v_timer, sqlstate, sqlerrm);
    end;
  end loop;
  return v_fired;
end;
$$;

comment on function tasker.fire_one_by_one is
$$Fires at most 60 timers, among them at most one map or event, each in its own subtransaction. It is called after an error of one timer has rolled back the work of all timers. Postpones timers that fail, so that no task stops other tasks. Returns how many timers it fired. Locks each timer again, as tasker.fire_timers does. An error for which tasker.error_pause returns null ends the call.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/take_timer_share.sql
create or replace function tasker.take_timer_share(p_namespaces text[], p_share integer, p_since timestamptz, p_until timestamptz)
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_first tasker.timers[];
begin
  v_first := array(
    select t.due
      from unnest(p_namespaces) as u (name)
     cross join lateral (
       select m as due
         from tasker.timers as m
        where m.namespace = u.name
          and m.kind = 'cancel_child'
          and m.due_at between p_since and v_now
        order by m.due_at
        limit p_share
          for update skip locked
     ) as t
  );
  return v_first || array(
    select t.due
      from unnest(p_namespaces) as u (name)
     cross join lateral (select p_share - count(*) as places from unnest(v_first) as f where f.namespace = u.name) as o
     cross join lateral (
       select m as due
         from tasker.timers as m
        where m.namespace = u.name
          and m.due_at between p_since and p_until
          and m.kind <> 'cancel_child'
          and (m.due_at <= v_now or m.kind in ('expand_map', 'deliver_event'))
        order by m.due_at
        limit o.places
          for update skip locked
     ) as t
  );
end;
$$;

comment on function tasker.take_timer_share is
$$Locks at most p_share due timers of each of these namespaces, without waiting. Timers that cancel tasks come before other timers.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/take_timer_turns.sql
create or replace function tasker.take_timer_turns(
  p_namespaces  text[],
  p_limit       integer,
  p_others      integer,
  p_since       timestamptz,
  p_until       timestamptz
)
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_turns text[];
  v_due   tasker.timers[];
begin
  -- A timer without a namespace fires in every turn. Pairs are compared, so that only the index of both columns serves
  -- the search.
  v_turns := array(
    select u.name
      from unnest(p_namespaces || ''::text) as u (name)
     cross join lateral (
       select from tasker.timers as m where (m.namespace, m.due_at) between (u.name, p_since) and (u.name, p_until) limit 1
     ) as t
     order by random()
     limit p_limit
  );
  v_due := tasker.take_timer_share(v_turns, p_limit / greatest(cardinality(v_turns), 1), p_since, p_until);
  if p_others > 0 then
    v_turns := array(
      select o.name
        from (
          select n.name
            from tasker.task_namespaces as n
           where n.name <> all (p_namespaces)
           order by random()
           limit 20
        ) as o
       cross join lateral (
         select from tasker.timers as m where (m.namespace, m.due_at) between (o.name, p_since) and (o.name, p_until) limit 1
       ) as t
       limit p_others
    );
    v_due := v_due || tasker.take_timer_share(v_turns, p_others / greatest(cardinality(v_turns), 1), p_since, p_until);
  end if;
  return v_due;
end;
$$;

comment on function tasker.take_timer_turns is
$$Locks due timers without waiting if more timers are due than a call fires. It locks at most p_limit timers, in equal shares, of the namespaces in p_namespaces that have due timers (tasker.take_timer_share), and about p_others timers of twenty other namespaces, chosen at random.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/fire_timers.sql
create or replace function tasker.fire_timers(
  p_budgets  tasker.fire_budgets,
  p_since    timestamptz,
  p_turns    text[],
  p_others   integer
)
  returns integer
  language plpgsql
as $$
declare
  v_now timestamptz := tasker.clock();
  v_due tasker.timers[];
begin
  -- The subtransaction includes the locks, because a row that a transaction locks and its subtransaction changes costs
  -- a multixact.
  begin
    loop
      if p_turns is null then
        v_due := array(
          select m
            from tasker.timers as m
           where m.due_at between p_since and v_now + p_budgets.head_start
             and (m.due_at <= v_now or m.kind in ('expand_map', 'deliver_event'))
           order by m.due_at
           limit p_budgets.timers
             for update skip locked
        );
      else
        v_due := tasker.take_timer_turns(p_turns, p_budgets.timers, p_others, p_since, v_now + p_budgets.head_start);
      end if;
      exit when cardinality(v_due) > 0 or p_since = '-infinity';
      p_since := '-infinity'; -- before it gives up, the call reads all timers
    end loop;
    if cardinality(v_due) = 0 then
      return 0;
    end if;
    -- Matching a step that has begun to wait with events costs about as much as two instances of a map.
    if cardinality(v_due) > p_budgets.instances / 2 then
      v_due := array(
        select n.due
          from (
            select d as due, d.kind, row_number() over (partition by d.kind = 'match_wait' order by d.due_at) as place
              from unnest(v_due) as d
          ) as n
         where n.kind <> 'match_wait'
            or n.place <= p_budgets.instances / 2
      );
    end if;
    return tasker.fire_set(v_due, p_budgets);
  exception when others then
    if coalesce(cardinality(v_due), 0) = 0 or tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  return tasker.fire_one_by_one(v_due, p_budgets);
end;
$$;

comment on function tasker.fire_timers is
$$Fires due timers as tasker.fire_due_timers describes, with checked arguments. It fires the timers that became due at or after p_since (tasker.timer_mark), or all due timers if there are none. Starts at most p_budgets.instances instances of maps. Matches events with at most half as many steps that have begun to wait, and delivers events to at most p_budgets.receivers steps. A claim passes smaller budgets than an orchestrator, because its worker waits for the claimed steps. The rest of a map or of an event's delivery is due p_budgets.head_start later, or at once for a call that passes the same head start. So an orchestrator continues the rest before claims do, because claims pass 0.

If no more timers are due than p_budgets.timers, p_turns is null, and all of them fire. Otherwise p_turns has the namespaces that take turns, and p_others is the number of timers of other namespaces that fire (tasker.take_timer_turns).

If a timer fails, the work of all timers is rolled back, and the timers are fired one by one (tasker.fire_one_by_one). So no task stops a claim.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/queue_is_bloated.sql
create or replace function tasker.queue_is_bloated()
  returns boolean
  language sql
  stable
begin atomic
  -- Autovacuum removes dead rows from about 5,000 on, so the queue has more of them only under an old snapshot or
  -- between two runs of autovacuum. A search that begins at a mark costs a few probes for each handler.
  select pg_stat_get_dead_tuples('tasker.step_queue'::regclass) > 10000 + 100 * pg_stat_get_live_tuples('tasker.named_steps'::regclass);
end;

comment on function tasker.queue_is_bloated is
$$Returns whether the queue has so many dead rows that it is worth remembering where the live rows begin. The answer comes from statistics, which are about a second old.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/due_marks_key.sql
create or replace function tasker.due_marks_key(p_namespaces text[], p_orchestrator boolean)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select md5(p_orchestrator || p_namespaces::text);
end;

comment on function tasker.due_marks_key is
$$Returns the key that distinguishes the marks of one request from the marks of another request.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/due_marks.sql
create or replace function tasker.due_marks(p_namespaces text[], p_orchestrator boolean, p_now timestamptz)
  returns timestamptz[]
  language plpgsql
  stable
as $$
declare
  v_kept text[] := string_to_array(current_setting('tasker.due_marks', true), ' ');
begin
  if v_kept[1] = tasker.due_marks_key(p_namespaces, p_orchestrator)
     and to_timestamp(v_kept[2]::float8) between p_now - interval '10 seconds' and p_now then
    return array[
      to_timestamp(v_kept[2]::float8), to_timestamp(v_kept[3]::float8), to_timestamp(v_kept[4]::float8), to_timestamp(v_kept[5]::float8)
    ];
  end if;
  return '{}';
end;
$$;

comment on function tasker.due_marks is
$$Returns the marks that tasker.keep_due_marks kept in this session for the same namespaces. The marks are the time when all rows were last read from the beginning, and the times from which timers, leases and ready steps have to be read. Returns an empty array if all rows were last read more than ten seconds ago.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/keep_due_marks.sql
create or replace function tasker.keep_due_marks(
  p_namespaces    text[],
  p_orchestrator  boolean,
  p_now           timestamptz,
  p_read_at       timestamptz,
  p_timer         timestamptz,
  p_lease         timestamptz,
  p_ready         timestamptz
)
  returns void
  language plpgsql
as $$
declare
  -- Transactions that are open now may write rows that are dated back to the beginning of the transaction.
  v_now   timestamptz := p_now - interval '250 milliseconds';
  v_lease timestamptz := v_now + tasker.setting_integer('lease_seconds') * interval '1 second';
  v_ok    text;
begin
  v_ok := set_config('tasker.due_marks', concat_ws(
    ' ',
    tasker.due_marks_key(p_namespaces, p_orchestrator),
    extract(epoch from coalesce(p_read_at, p_now)),
    extract(epoch from least(p_timer, v_now)),
    extract(epoch from least(p_lease, v_lease)),
    extract(epoch from least(p_ready, v_now))
  ), false);
end;
$$;

comment on function tasker.keep_due_marks is
$$Keeps three marks in the session: the times from which timers, leases and ready steps have to be read the next time. Each mark is the time of the first existing timer, lease or ready step. If there is none, the mark is now, or for leases the end of a lease that begins now. p_read_at is the time when all rows were last read from the beginning, or null if this call has read them. The marks are a setting of the session, because such a setting lives as long as the session and costs no write. Locks nothing.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/first_visible_at.sql
create or replace function tasker.first_visible_at(p_namespaces text[], p_running boolean, p_from timestamptz)
  returns timestamptz
  language sql
  stable
begin atomic
  -- Each handler has its own probe. A search from group to group would read the dead rows at the beginning of each
  -- group.
  select min(q.visible_at)
    from unnest(p_namespaces) as n (namespace)
   cross join unnest(case when p_running then '{running}' else '{high,normal,low}' end::tasker.queue_lane[]) as l (lane)
   cross join tasker.named_steps as h
   cross join lateral (
     select q.visible_at
       from tasker.step_queue as q
      where q.namespace = n.namespace
        and q.lane = l.lane
        and q.named_step_uuid = h.named_step_uuid
        and q.visible_at >= p_from
      order by q.visible_at
      limit 1
   ) as q
   where h.name >= '';
end;

comment on function tasker.first_visible_at is
$$Returns the first visible_at that is not before p_from, among running steps if p_running is true, otherwise among the lanes of ready steps.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/fire_due_timers.sql
create or replace function tasker.fire_due_timers(p_limit integer default 100, p_processor_uuid uuid default null)
  returns integer
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
  v_now   timestamptz := tasker.write_clock();
  v_since timestamptz := '-infinity';
  v_turns text[];
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);
  if tasker.timers_are_bloated() then
    v_since := tasker.timer_mark(v_now);
  end if;
  if exists (select from tasker.timers as m where m.due_at between v_since and v_now order by m.due_at offset p_limit) then
    v_turns := array(select n.name from tasker.task_namespaces as n);
  end if;
  return tasker.fire_timers(
    row(p_limit, 1000, 500, interval '250 milliseconds', p_processor_uuid)::tasker.fire_budgets, v_since, v_turns, 0
  );
end;
$$;

comment on function tasker.fire_due_timers is
$$Fires due timers: starts tasks, enqueues steps whose wait for the next attempt is over, ends waits whose time has
come, delivers events to the steps that wait for them (at most p_limit steps, never more than 500), starts the instances
of maps (at most a thousand a call) and ends them, fails tasks whose deadline has passed, undoes the steps of failed and
cancelled tasks (at most a thousand compensations a call), creates the tasks of schedules that tick, and carries out
notes between tasks (start a step's task, tell the parent of its end, cancel it). Returns how many timers it fired.
p_processor_uuid names the processor in the log.

Claims do the same, with fewer instances of maps and fewer steps that get an event, so a system needs only workers. If a
call of this function has started a thousand instances of a map, or has delivered an event to as many steps as it may,
claims leave the rest to the next call of this function for 250 ms. If an old snapshot keeps many dead rows in
tasker.timers, a call in the same session within the next second begins reading where the previous call found its first
timer. If it finds no timer from there on, it reads from the beginning. If more than p_limit timers are due, namespaces
take turns, and timers that cancel tasks go before other timers. Any number of sessions may call this function at once,
and each call fires other timers. Locks timers, then tasks, without waiting. Tries a busy task again soon (a map in 20
ms, other tasks in 100 ms or a second). Then locks the steps of the locked tasks. Locks schedules without waiting and
fires one tick of each. An error is recorded with the schedule. Raises TK422 for a limit out of range, TK409 above READ
COMMITTED.$$;

grant execute on function tasker.fire_due_timers to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/queue_groups.sql
create or replace function tasker.queue_groups(p_namespaces text[])
  returns setof tasker.step_queue
  language sql
  stable
begin atomic
  -- Go from each group of the index to the next group with one probe. Rows after the first row of a group are never
  -- read.
  with recursive groups as (
    select g.*
      from unnest(p_namespaces) as u (namespace)
     cross join lateral (
       select q.*
         from tasker.step_queue as q
        where q.namespace = u.namespace
        order by q.namespace, q.lane, q.named_step_uuid, q.visible_at
        limit 1
     ) as g
    union all
    select n.*
      from groups as g
     cross join lateral (
       select q.*
         from tasker.step_queue as q
        where q.namespace = g.namespace
          and (q.lane, q.named_step_uuid) > (g.lane, g.named_step_uuid)
        order by q.namespace, q.lane, q.named_step_uuid, q.visible_at
        limit 1
     ) as n
  )
  select g.* from groups as g;
end;

comment on function tasker.queue_groups is
$$Returns the oldest row of each namespace, lane and handler that has rows in the queue, visible or not.$$;
-- <<<

-- >>> db/schema/functions/kernel/queue/private/handler_groups.sql
create or replace function tasker.handler_groups(
  p_namespaces  text[],
  p_handlers    text[],
  p_now         timestamptz,
  p_since       timestamptz  default '-infinity'
)
  returns setof tasker.step_queue
  language sql
  stable
begin atomic
  -- Each requested handler has its own probe, which does not read steps of other handlers. The probe ends at p_now.
  -- Under an old snapshot, a running step is still in the index after its result, with the later time at which its
  -- lease would have ended.
  select q.*
    from unnest(p_handlers) as u (name)
    join tasker.named_steps as h
      on h.name = u.name
   cross join unnest(p_namespaces) as n (namespace)
   cross join unnest('{high,normal,low,running}'::tasker.queue_lane[]) as l (lane)
   cross join lateral (
     select q.*
       from tasker.step_queue as q
      where q.namespace = n.namespace
        and q.lane = l.lane
        and q.named_step_uuid = h.named_step_uuid
        and q.visible_at between p_since and p_now
      order by q.visible_at
      limit 1
   ) as q;
end;

comment on function tasker.handler_groups is
$$Returns the rows of tasker.queue_groups for these handlers and the workers' lanes, but only rows that became visible between p_since and p_now.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/lane_quotas.sql
create or replace function tasker.lane_quotas(p_lanes text[], p_limit integer, p_settings tasker.settings_now)
  returns integer[]
  language plpgsql
  volatile
as $$
declare
  v_weights numeric[] := '{}';
  v_quotas  integer[] := '{}';
  v_lane    text;
  v_total   numeric := 0;
  v_upto    numeric := 0;
  v_dice    numeric := random();
begin
  foreach v_lane in array p_lanes loop
    v_weights := v_weights || case v_lane
      when 'high' then p_settings.lane_weight_high
      when 'normal' then p_settings.lane_weight_normal
      when 'low' then p_settings.lane_weight_low
      else 1
    end;
    v_total := v_total + v_weights[cardinality(v_weights)];
  end loop;

  -- Compute the share of each lane. The fraction of a share is rounded up or down at random, so that a lane with a
  -- small share also gets a row now and then.
  for v_no in 1 .. cardinality(p_lanes) loop
    v_quotas := v_quotas
      || (floor((v_upto + v_weights[v_no]) * p_limit / v_total + v_dice) - floor(v_upto * p_limit / v_total + v_dice))::integer;
    v_upto := v_upto + v_weights[v_no];
  end loop;
  return v_quotas;
end;
$$;

comment on function tasker.lane_quotas is
$$Divides p_limit rows among these lanes by the settings lane_weight_…. The sum of the shares is p_limit, and on average each share is exactly proportional to its weight.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/take_group_rows.sql
create or replace function tasker.take_group_rows(
  p_groups  tasker.step_queue[],
  p_limit   integer,
  p_until   timestamptz,
  p_claim   boolean
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_one   tasker.step_queue;
  v_taken tasker.step_queue[];
begin
  -- Begin at the row by which the group was found. Under an old snapshot, the index still has rows that were taken
  -- earlier.
  if p_limit = 1 and cardinality(p_groups) = 1 then
    v_one := p_groups[1];
    update tasker.step_queue as q
       set visible_at = p_until,
           lane       = case when p_claim then 'running' else q.lane end,
           claim_no   = case when p_claim then tasker.next_claim_no(q.claim_no) else q.claim_no end
     where q.ctid = (
       select k.ctid
         from tasker.step_queue as k
        where k.namespace = v_one.namespace
          and k.lane = v_one.lane
          and k.named_step_uuid = v_one.named_step_uuid
          and k.visible_at between v_one.visible_at and v_now
        order by k.visible_at
        limit 1
          for update skip locked
     )
    returning q.*
      into v_one;
    return case when found then array[v_one] else '{}' end;
  end if;

  with locked as materialized (
    select k.tid
      from unnest(p_groups) with ordinality as g
     cross join lateral (
       select k.ctid as tid
         from tasker.step_queue as k
        where k.namespace = g.namespace
          and k.lane = g.lane
          and k.named_step_uuid = g.named_step_uuid
          and k.visible_at between g.visible_at and v_now
        order by k.visible_at
        limit (p_limit + cardinality(p_groups) - g.ordinality) / cardinality(p_groups)
          for update skip locked
     ) as k
  ),
  taken as (
    update tasker.step_queue as q
       set visible_at = p_until,
           lane       = case when p_claim then 'running' else q.lane end,
           claim_no   = case when p_claim then tasker.next_claim_no(q.claim_no) else q.claim_no end
      from locked as k
     where q.ctid = k.tid
    returning q
  )
  select coalesce(array_agg(t.q), '{}') into v_taken from taken as t;
  return v_taken;
end;
$$;

comment on function tasker.take_group_rows is
$$Takes at most p_limit visible rows of these groups from the queue, and an equal number from each group. It takes no row that is older than the row by which the group was found. Locks the rows and hides them until p_until. If p_claim is true, hides them as running under their next claim number. Skips rows that other transactions hold.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/take_queue_rows.sql
create or replace function tasker.take_queue_rows(
  p_groups    tasker.step_queue[],
  p_limit     integer,
  p_until     timestamptz,
  p_claim     boolean,
  p_settings  tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_dice   bigint    := (random() * 2147483647)::bigint;
  v_lanes  text[]    := '{}';
  v_group  tasker.step_queue;
  v_best   tasker.step_queue;
  v_quotas integer[] := array[p_limit];
  v_lane   integer;
  v_asked  integer;
  v_peers  record;
  v_more   tasker.step_queue[];
  v_taken  tasker.step_queue[] := '{}';
  v_left   boolean   := false; -- whether a group may have more rows than were taken from it
begin
  if cardinality(p_groups) = 0 then
    return '{}';
  elsif cardinality(p_groups) = 1 then
    return tasker.take_group_rows(p_groups, p_limit, p_until, p_claim);
  end if;

  foreach v_group in array p_groups loop
    if v_group.lane::text <> all (v_lanes) then
      v_lanes := v_lanes || v_group.lane::text;
    end if;
  end loop;
  if cardinality(v_lanes) > 1 then
    v_quotas := tasker.lane_quotas(v_lanes, p_limit, p_settings);
  end if;

  -- If only one row is wanted, it usually comes from the first group.
  if p_limit = 1 then
    foreach v_group in array p_groups loop
      if v_quotas[array_position(v_lanes, v_group.lane::text)] = 1 and (
           v_best.namespace is null
           or (hashtextextended(v_group.namespace, v_dice), v_group.visible_at) < (hashtextextended(v_best.namespace, v_dice), v_best.visible_at)
         ) then
        v_best := v_group;
      end if;
    end loop;
    v_taken := tasker.take_group_rows(array[v_best], 1, p_until, p_claim);
    if cardinality(v_taken) = 1 then
      return v_taken;
    end if;
  end if;

  -- First take the share of each lane, then any rows. Namespaces take turns at random. Within a namespace, the handler
  -- whose oldest step has waited longest goes first. Handlers that have waited equally long get equal shares. Their
  -- steps are mostly children of the same tasks, which are then locked and counted once for all of these steps.
  for v_peers in
    select r.round, g.lane, array_agg(g) as groups
      from generate_series(1, 2) as r (round)
     cross join unnest(p_groups) as g
     group by r.round, g.lane, g.namespace, g.visible_at, case when r.round = 2 then g.named_step_uuid end
     order by r.round, g.lane, hashtextextended(g.namespace, v_dice), g.visible_at
  loop
    exit when v_peers.round = 2 and not v_left;
    v_lane := array_position(v_lanes, v_peers.lane::text);
    v_asked := case when v_peers.round = 1 then v_quotas[v_lane] else p_limit - cardinality(v_taken) end;
    v_more := tasker.take_group_rows(v_peers.groups, v_asked, p_until, p_claim);
    v_taken := v_taken || v_more;
    exit when cardinality(v_taken) = p_limit;
    v_quotas[v_lane] := v_quotas[v_lane] - cardinality(v_more);
    v_left := v_left or cardinality(v_more) = v_asked or cardinality(v_peers.groups) > 1 and cardinality(v_more) > 0;
  end loop;
  return v_taken;
end;
$$;

comment on function tasker.take_queue_rows is
$$Takes visible rows of these groups (tasker.queue_groups) from the queue. Locks the rows and hides them until p_until. If p_claim is true, hides them as running under their next claim number. Skips rows that other transactions hold. No lane and no namespace starves.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/requeue_steps.sql
create or replace function tasker.requeue_steps(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_move  tasker.step_moves;
  v_moves tasker.step_moves[] := '{}';
begin
  if cardinality(p_moves) = 1 then
    v_move := tasker.write_move(p_moves[1], null);
    v_moves := case when v_move.task_uuid is null then '{}' else array[v_move] end;
  elsif cardinality(p_moves) > 1 then
    v_moves := tasker.write_moves(p_moves, null);
  end if;
  perform tasker.announce_queue_rows(array_agg(m.task_uuid), array_agg(m.step_no))
     from unnest(v_moves) as m
   having count(*) > 0;
  return v_moves;
end;
$$;

comment on function tasker.requeue_steps is
$$Returns steps in progress to the queue, by Release or LeaseExpired, and wakes workers. Does not change the task, because the task's counters do not distinguish the two states. The caller holds the locks of the steps and, if it began with the queue, of their queue rows.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/never_begun.sql
create or replace function tasker.never_begun(p_step_uuid uuid, p_claim_no integer, p_worker_uuid uuid)
  returns boolean
  language plpgsql
  stable
as $$
declare
  v_excused integer;
begin
  if not exists (
    select
      from tasker.workers as w
     where w.worker_uuid = p_worker_uuid
       and (
         p_step_uuid = any (w.waiting_steps)
         or array_position(w.request_steps, p_step_uuid) > w.request_begun
            and w.request_claim_nos[array_position(w.request_steps, p_step_uuid)] = p_claim_no
       )
  ) then
    return false;
  end if;

  -- The step may have begun since the worker's last report. So a step that stops its worker at once must not be tried
  -- forever.
  select count(*) filter (where l.event = 'LeaseExpired')
    into v_excused
    from (
      select
        u.event,
        bool_and(u.event in ('Start', 'Release') or tasker.was_waiting(u.event, l.metadata)) over (order by l.sort_key - u.after desc) as in_a_row
        from (
          select l.path, l.metadata, l.sort_key
            from tasker.step_log as l
           where l.task_uuid = tasker.task_uuid_of(p_step_uuid)
             and l.step_no = tasker.step_no_of(p_step_uuid)
           order by l.sort_key desc
           limit 100
        ) as l
        join tasker.step_log_paths as u
          on u.path = l.path
    ) as l
   where l.in_a_row;
  return v_excused < 3;
end;
$$;

comment on function tasker.never_begun is
$$Returns whether a lost step still waited for a handler when its worker last made an exchange. Returns false after three such losses in a row, because the step may have begun since then.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/fail_lost_steps.sql
create or replace function tasker.fail_lost_steps(p_moves tasker.step_moves[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  -- If another transaction has locked the task, it is tried again in a second.
  v_locked uuid[] := tasker.lock_tasks(array(select m.task_uuid from unnest(p_moves) as m));
begin
  if cardinality(v_locked) > 0 then
    perform tasker.apply_moves(
      array(select m from unnest(p_moves) as m where m.task_uuid = any (v_locked)), tasker.task_facts(v_locked), p_processor
    );
  end if;
end;
$$;

comment on function tasker.fail_lost_steps is
$$Fails steps for good that have lost too many workers, except in tasks that other transactions hold.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/spare_leases.sql
create or replace function tasker.spare_leases(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  update tasker.step_queue as q
     set visible_at = m.visible_at
    from unnest(p_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;
end;
$$;

comment on function tasker.spare_leases is
$$Leaves steps to their workers until visible_at, although the leases of the steps have ended. After the server was unreachable, each worker has the length of its own lease to renew the lease. The caller holds the queue rows.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/hide_queue_row.sql
create or replace function tasker.hide_queue_row(p_row tasker.step_queue, p_now timestamptz, p_until timestamptz)
  returns boolean
  language plpgsql
as $$
begin
  perform
     from tasker.step_queue as q
    where q.task_uuid = p_row.task_uuid
      and q.step_no = p_row.step_no
      and q.lane = p_row.lane
      and q.visible_at <= p_now
      for update skip locked;
  if not found then
    return false;
  end if;
  update tasker.step_queue as q
     set visible_at = p_until
   where q.task_uuid = p_row.task_uuid
     and q.step_no = p_row.step_no;
  return true;
end;
$$;

comment on function tasker.hide_queue_row is
$$Takes one row from the queue, if the row is still in its lane and visible at p_now. Locks the row and hides it until p_until. Returns false if the row has left its lane, is not visible, or is held by another transaction.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/recover_taken.sql
create or replace function tasker.recover_taken(p_taken tasker.step_queue[], p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.write_clock();
  v_settings tasker.settings_now;
  v_heard    timestamptz := tasker.leases_heard_since();
  v_moves    tasker.step_moves[];
  v_poison   tasker.step_moves[];
  v_early    tasker.step_moves[];
begin
  select c.* into v_settings from tasker.settings_now as c;
  select
    -- The step returns to its old place in the queue, because it has already waited.
    array_agg(tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'in_progress', p_event => 'LeaseExpired',
      p_to_state => 'enqueued', p_held_claim_no => s.claim_no, p_visible_at => least(s.last_attempted_at, v_now),
      p_reason => case when b.never_begun then 'its handler had not begun' end,
      p_metadata => case when b.never_begun then '{"begun": false}'::jsonb end
    ) order by s.task_uuid, s.step_no)
      filter (where s.graced_until <= v_now and s.undo_level is null and (b.never_begun or s.lost_count < v_settings.max_lost)),
    array_agg(tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'in_progress',
      p_first_event => 'EnqueueForOrchestration', p_via_state => 'enqueued_as_error_for_orchestration',
      p_event => 'Fail', p_to_state => 'error', p_held_claim_no => s.claim_no, p_error => x.loss,
      p_metadata => tasker.failure_metadata(x.loss, null, true)
    ) order by s.task_uuid, s.step_no)
      filter (where s.graced_until <= v_now and (s.undo_level is not null or not b.never_begun and s.lost_count >= v_settings.max_lost)),
    array_agg(tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'in_progress', p_to_state => 'in_progress',
      p_visible_at => s.graced_until
    )) filter (where s.graced_until > v_now)
    into v_moves, v_poison, v_early
    from (
      select k.*, count(*) over (partition by k.worker_uuid) - 1 as others
        from unnest(p_taken) as u
       cross join lateral (
         select
           s.task_uuid, s.step_no, s.workflow_step_uuid, s.state, s.claim_no, s.lease_until, s.lease_seconds, s.lost_count,
           s.last_attempted_at, s.worker_uuid, s.undo_level,
           v_heard + make_interval(secs => coalesce(s.lease_seconds, v_settings.lease_seconds)) as graced_until
           from tasker.workflow_steps as s
          where s.task_uuid = u.task_uuid
            and s.step_no = u.step_no
            for no key update skip locked
       ) as k
       where k.state = 'in_progress'
         and k.lease_until <= v_now
    ) as s
   cross join lateral (
     -- Workers renew the leases of steps that have begun.
     select
       case
         when greatest(s.lease_until, s.graced_until) <= v_now
              and s.lease_until <= s.last_attempted_at + make_interval(secs => s.lease_seconds)
           then tasker.never_begun(s.workflow_step_uuid, s.claim_no, s.worker_uuid)
         else false
       end as never_begun
     offset 0
   ) as b
   cross join lateral (
     select case
       when s.undo_level is not null then 'its worker was lost while its task was being undone'
       else format('its worker was lost %s times', s.lost_count + 1)
         || case
           when s.others = 1 then ', the last time with one other step'
           when s.others > 1 then format(', the last time with %s other steps', s.others)
           else ''
         end
     end as loss
   ) as x;

  if v_early is not null then
    perform tasker.spare_leases(v_early);
  end if;
  perform tasker.requeue_steps(v_moves);
  if v_poison is null then
    return coalesce(cardinality(v_moves), 0);
  end if;

  perform tasker.fail_lost_steps(v_poison, p_processor);
  return coalesce(cardinality(v_moves), 0) + cardinality(v_poison);
end;
$$;

comment on function tasker.recover_taken is
$$Recovers the steps of queue rows that the caller has taken. A step is lost if its lease has ended and its worker has been able to reach the server for at least the length of the lease (tasker.leases_heard_since). A lost step returns to its place in the queue, and the attempt does not count. If the worker had not begun the step (tasker.never_begun), the step's lost_count does not rise. A step that has lost more workers than the setting "max_lost" allows, or whose task is being undone, fails for good. Its error says how many steps were lost together with it. Returns how many steps it handled.

The function begins with the queue, the end of the lock order, so it skips rows that other transactions hold.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/recover_one_by_one.sql
create or replace function tasker.recover_one_by_one(p_taken tasker.step_queue[], p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_row   tasker.step_queue;
  v_count integer := 0;
begin
  -- Use at most 60 subtransactions, because a session remembers 64 of them. All other rows stay due.
  foreach v_row in array p_taken[:60] loop
    begin
      if tasker.hide_queue_row(v_row, v_now, v_now + interval '1 second') then
        v_count := v_count + tasker.recover_taken(array[v_row], p_processor);
      end if;
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      perform tasker.hide_queue_row(
        v_row, v_now,
        v_now + tasker.warn_of_failure(format('the recovery of step %s of task %s', v_row.step_no, v_row.task_uuid), sqlstate, sqlerrm)
      );
    end;
  end loop;
  return v_count;
end;
$$;

comment on function tasker.recover_one_by_one is
$$Recovers at most 60 lost steps, each in its own subtransaction. It is called after an error in one step has rolled back the recovery of all steps. Postpones a step whose recovery raises an error. Returns how many steps it recovered. Locks each step again, as tasker.recover_lost_steps does.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/recover_lost_steps.sql
create or replace function tasker.recover_lost_steps(p_groups tasker.step_queue[], p_limit integer, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.write_clock();
  v_settings tasker.settings_now;
  v_taken    tasker.step_queue[];
begin
  perform tasker.note_lease_clock();
  select c.* into v_settings from tasker.settings_now as c;
  -- The subtransaction includes the locks, as in tasker.fire_timers.
  begin
    v_taken := tasker.take_queue_rows(p_groups, p_limit, v_now + interval '1 second', false, v_settings);
    return tasker.recover_taken(v_taken, p_processor);
  exception when others then
    if coalesce(cardinality(v_taken), 0) = 0 or tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  return tasker.recover_one_by_one(v_taken, p_processor);
end;
$$;

comment on function tasker.recover_lost_steps is
$$Takes lost steps of these groups from the queue and recovers them (tasker.recover_taken). Returns how many. If the recovery of a step raises an error, each step is recovered in its own subtransaction.

The function begins with the queue, the end of the lock order, so it skips rows that other transactions hold.$$;
-- <<<

-- >>> db/schema/rows/features/limits/limit_states.sql
create or replace view tasker.limit_states as
select
  0::integer as place,
  0::integer as limit_no,
  ''::text as limit_key,
  0::integer as version,
  null::integer as concurrency,
  0::bigint as running,
  null::bigint as interval_us,
  0::integer as burst,
  0::bigint as ahead_us,
  0::integer as free,
  0::integer as taken,
  false::boolean as with_places
where false;

comment on view tasker.limit_states is
  'Row type: a key that a claim has locked, the number of its running steps, and how many more steps may start.';
comment on column tasker.limit_states.interval_us is
  'The time between two consecutive starts at an even rate, in microseconds. Null without a rate.';
comment on column tasker.limit_states.ahead_us is
  'The number of microseconds from now to the key''s paid_until.';
-- <<<

-- >>> db/schema/functions/kernel/claim/private/is_gated.sql
create or replace function tasker.is_gated(p_handlers text[], p_settings tasker.settings_now)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when (p_settings).limited_handlers = '{}' then false
    when (p_settings).limited_handlers is null or p_handlers is null then true
    else (p_settings).limited_handlers && p_handlers
  end;
end;

comment on function tasker.is_gated is
$$Returns whether a claim for these handlers (null: all) has to read limits.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/is_paused.sql
create or replace function tasker.is_paused(p_namespace text, p_named_step_uuid uuid, p_settings tasker.settings_now)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select (p_settings).paused_handlers <> '{}' and p_namespace || '/' || p_named_step_uuid::text = any ((p_settings).paused_handlers);
end;

comment on function tasker.is_paused is
$$Returns whether a handler is paused in a namespace. Reads no table.$$;
-- <<<

-- >>> db/schema/functions/doors/claims/private/claim_opens.sql
create or replace function tasker.claim_opens(p_handlers text[], p_settings tasker.settings_now)
  returns boolean
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  if not tasker.is_gated(p_handlers, p_settings) then
    return false;
  end if;
  v_ok := tasker.hold_limits();
  return true;
end;
$$;

comment on function tasker.claim_opens is
$$Door: results are recorded, and a claim for these handlers follows in the same call. Returns whether tasker.claim_closes has to be called after the claim.$$;
-- <<<

-- >>> db/schema/functions/doors/claims/private/claim_closes.sql
create or replace function tasker.claim_closes()
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.release_limits();
end;
$$;

comment on function tasker.claim_closes is
$$Door: the claim that tasker.claim_opens announced has taken its steps.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/noted_limit_keys.sql
create or replace function tasker.noted_limit_keys(p_limit_no integer, p_from integer, p_count integer)
  returns setof tasker.limit_notes
  language plpgsql
  stable
as $$
begin
  -- Read from a given hash on (the caller passes a random hash), and also from the first hash on. So each key is reached
  -- about equally often, and many notes of one key cost a single probe.
  return query
  with recursive starts (key_hash) as (
    values (p_from), (-2147483648)
  ),
  noted (start, place, note) as (
    select s.key_hash, 1, n.note
      from starts as s
     cross join lateral (
       select n as note
         from tasker.limit_notes as n
        where n.limit_no = p_limit_no
          and n.key_hash >= s.key_hash
        order by n.key_hash, n.limit_key, n.note_no
        limit 1
     ) as n
    union all
    select c.start, c.place + 1, n.note
      from noted as c
     cross join lateral (
       select n as note
         from tasker.limit_notes as n
        where n.limit_no = p_limit_no
          and (n.key_hash, n.limit_key) > ((c.note).key_hash, (c.note).limit_key)
        order by n.key_hash, n.limit_key, n.note_no
        limit 1
     ) as n
     where c.place < p_count
  )
  select distinct on ((n.note).limit_key) (n.note).* from noted as n;
end;
$$;

comment on function tasker.noted_limit_keys is
$$Returns the oldest note of each key of a limit that has notes: at most p_count keys from the hash p_from on, and at most p_count keys from the first hash on. Reads one index entry for each key.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/insert_limit_keys.sql
create or replace function tasker.insert_limit_keys(p_limits integer[], p_keys text[], p_missing boolean[])
  returns void
  language plpgsql
as $$
declare
  v_held integer[];
begin
  -- Only the holder of a limit's row inserts or deletes the limit's keys, so no insert waits for another transaction. A
  -- claim that does not get the lock of the row leaves new keys to the next claim.
  v_held := array(
    select l.limit_no
      from (select distinct u.limit_no from unnest(p_limits, p_missing) as u (limit_no, missing) where u.missing) as u
     cross join lateral (
       select l.limit_no
         from tasker.limits as l
        where l.limit_no = u.limit_no
          for no key update skip locked
     ) as l
  );
  insert into tasker.limit_keys (limit_no, limit_key)
  select u.limit_no, u.limit_key
    from unnest(p_limits, p_keys, p_missing) as u (limit_no, limit_key, missing)
   where u.missing
     and u.limit_no = any (v_held)
   order by u.limit_no, u.limit_key
  on conflict (limit_no, limit_key) do nothing;
end;
$$;

comment on function tasker.insert_limit_keys is
$$Inserts the missing keys of those limits whose rows no other transaction has locked.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/lock_limit_keys.sql
create or replace function tasker.lock_limit_keys(
  p_namespaces  text[],
  p_handlers    text[],
  p_count       integer,
  p_now         timestamptz,
  p_settings    tasker.settings_now
)
  returns setof tasker.limit_keys
  language plpgsql
as $$
declare
  v_dice    bigint  := (random() * 2147483647)::bigint;
  v_start   integer := floor(random() * 4294967296 - 2147483648);
  v_limits  integer[];
  v_keys    text[];
  v_missing boolean[];
begin
  -- The namespaces take turns, within a namespace its limits, and within a limit its keys. The key that was served
  -- longest ago comes first.
  with wanted as materialized (
    select distinct u.name from unnest(p_handlers) as u (name)
    union
    select h.handler from tasker.limit_handlers as h where p_handlers is null
  ),
  mine as materialized (
    select h.limit_no, h.named_step_uuid, l.namespace, l.version
      from wanted as w
     cross join lateral (
       select h.limit_no, h.named_step_uuid
         from tasker.limit_handlers as h
        where h.handler = w.name
       offset 0
     ) as h
     cross join lateral (
       select l.namespace, l.version
         from tasker.limits as l
        where l.limit_no = h.limit_no
       offset 0
     ) as l
     where l.namespace = any (p_namespaces)
       and not tasker.is_paused(l.namespace, h.named_step_uuid, p_settings)
  ),
  found as (
    select m.namespace, m.limit_no, s.limit_key, s.next_at
      from mine as m
     cross join lateral (
       (
         select s.limit_key, least(s.next_at, p_now) as next_at
           from tasker.limit_lines as s
          where s.limit_no = m.limit_no
            and s.named_step_uuid = m.named_step_uuid
            and s.version < m.version
          order by s.version, s.next_at
          limit 2 * p_count + 10
       )
       union all
       (
         select s.limit_key, s.next_at
           from tasker.limit_lines as s
          where s.limit_no = m.limit_no
            and s.named_step_uuid = m.named_step_uuid
            and s.version = m.version
            and s.next_at <= p_now
          order by s.next_at
          limit 2 * p_count + 10
       )
     ) as s
    union all
    select m.namespace, m.limit_no, n.limit_key, least(n.noted_at, p_now)
      from (
        select distinct m.namespace, m.limit_no
          from mine as m
         where exists (select from tasker.limit_notes as n where n.limit_no = m.limit_no offset 0)
      ) as m
     cross join lateral tasker.noted_limit_keys(m.limit_no, v_start, p_count + 4) as n
  ),
  keys as (
    select f.namespace, f.limit_no, f.limit_key, min(f.next_at) as next_at
      from found as f
     group by f.namespace, f.limit_no, f.limit_key
  ),
  turns as (
    select k.*, row_number() over (partition by k.limit_no order by k.next_at, hashtextextended(k.limit_key, v_dice)) as turn
      from keys as k
  ),
  namespace_turns as (
    select t.*, row_number() over (partition by t.namespace order by t.turn, hashtextextended(t.limit_no::text, v_dice)) as namespace_turn
      from turns as t
  )
  select
    array_agg(t.limit_no order by t.namespace_turn, hashtextextended(t.namespace, v_dice)),
    array_agg(t.limit_key order by t.namespace_turn, hashtextextended(t.namespace, v_dice)),
    array_agg(not exists (
      select
        from tasker.limit_keys as k
       where k.limit_no = t.limit_no
         and k.limit_key = t.limit_key
      offset 0
    ) order by t.namespace_turn, hashtextextended(t.namespace, v_dice))
    into v_limits, v_keys, v_missing
    from namespace_turns as t;
  if v_limits is null then
    return;
  end if;

  if true = any (v_missing) then
    perform tasker.insert_limit_keys(v_limits, v_keys, v_missing);
  end if;
  return query
  select k.*
    from unnest(v_limits, v_keys) as u (limit_no, limit_key)
   cross join lateral (
     select k.*
       from tasker.limit_keys as k
      where k.limit_no = u.limit_no
        and k.limit_key = u.limit_key
        for no key update skip locked
   ) as k
   limit p_count;
end;
$$;

comment on function tasker.lock_limit_keys is
$$Locks and returns up to p_count keys that a claim should check. The keys belong to limits of these handlers in these namespaces. The namespaces, the limits of a namespace and the keys of a limit take turns. Skips keys that another transaction has locked.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/fold_limit_notes.sql
create or replace function tasker.fold_limit_notes(p_limits integer[], p_keys text[], p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  -- Delete by ctid, which is stable because only the holder of the key changes its notes. Each index lookup uses the
  -- whole key.
  with folded as (
    delete from tasker.limit_notes as n
     where n.ctid = any (array(
       select n.place
         from unnest(p_limits, p_keys) as u (limit_no, limit_key)
        cross join lateral (
          select n.ctid as place
            from tasker.limit_notes as n
           where n.limit_no = u.limit_no
             and n.key_hash = hashtext(u.limit_key)
             and n.limit_key = u.limit_key
           order by n.note_no
           limit 1000
        ) as n
     ))
    returning n.limit_no, n.limit_key, n.named_step_uuid
  )
  insert into tasker.limit_lines (limit_no, limit_key, named_step_uuid, version, next_at)
  select distinct f.limit_no, f.limit_key, f.named_step_uuid, 0, p_now
    from folded as f
  on conflict (limit_no, limit_key, named_step_uuid) do nothing;
end;
$$;

comment on function tasker.fold_limit_notes is
$$Deletes the notes of keys, at most 1,000 notes of each key, and ensures that the handlers named in the notes have rows in tasker.limit_lines. The caller holds the keys, counts the running steps in a later statement, and then writes when the lines are due.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/limit_states_of.sql
create or replace function tasker.limit_states_of(p_limits integer[], p_keys text[], p_limit integer, p_now timestamptz)
  returns tasker.limit_states[]
  language plpgsql
as $$
begin
  return array(
    select (
        r.place, r.limit_no, r.limit_key, r.version, r.concurrency, r.running, r.interval_us, r.burst, r.ahead_us,
        greatest(0, least(
          p_limit, r.concurrency - r.running,
          case when r.interval_us is not null then (r.burst * r.interval_us - r.ahead_us) / r.interval_us end
        )),
        0, r.with_places
      )::tasker.limit_states
      from (
        select
          u.place, u.limit_no, u.limit_key, l.version, l.concurrency, l.with_places, i.interval_us, l.burst,
          q.running + case when l.with_places then (
            select coalesce(sum(h.held_units), 0)
              from tasker.limit_places as h
             where h.limit_no = u.limit_no
               and h.limit_key = u.limit_key
               and h.held_units > 0
          ) else 0 end as running,
          -- The rate is never ahead by more than the burst, even if the clock was put back.
          coalesce(greatest(0, least(
            (extract(epoch from coalesce(k.paid_until, p_now) - p_now) * 1000000)::bigint, l.burst * i.interval_us
          )), 0) as ahead_us
        from unnest(p_limits, p_keys) with ordinality as u (limit_no, limit_key, place)
        cross join lateral tasker.key_limit(u.limit_no, u.limit_key) as l
        cross join lateral (
          select k.paid_until
            from tasker.limit_keys as k
           where k.limit_no = u.limit_no
             and k.limit_key = u.limit_key
          offset 0
        ) as k
        cross join lateral (select ceil(l.per_seconds * 1000000.0 / l.rate)::bigint as interval_us) as i
        cross join lateral (
          select count(*) as running
            from (
              select
                from tasker.step_queue as q
               where q.limit_no = u.limit_no
                 and q.limit_key = u.limit_key
                 and q.lane = 'running'
               limit coalesce(l.concurrency, 0)
            ) as q
        ) as q
      ) as r
     order by r.place
  );
end;
$$;

comment on function tasker.limit_states_of is
$$Returns for each key the number of its running steps (counted only up to the concurrency), how far its rate is charged ahead, and how many steps may start, at most p_limit. The function is volatile, because the count must see all commits before the caller got the locks of the keys.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/take_line_rows.sql
create or replace function tasker.take_line_rows(
  p_states     tasker.limit_states[],
  p_handlers   uuid[],
  p_limit      integer,
  p_until      timestamptz,
  p_now        timestamptz,
  p_task_uuid  uuid,
  p_step_no    integer,
  p_settings   tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_share integer := ceil(p_limit::numeric / greatest(cardinality(p_states), 1));
  v_taken tasker.step_queue[];
begin
  -- Within a key, the lanes share the places by their weights. The keys take turns: first one step of each key, then a
  -- second step of each key.
  with lanes (lane, weight, dice) as materialized (
    values
      ('high'::tasker.queue_lane, greatest(p_settings.lane_weight_high, 0.001), -ln(1 - random())::numeric),
      ('normal', greatest(p_settings.lane_weight_normal, 0.001), -ln(1 - random())::numeric),
      ('low', greatest(p_settings.lane_weight_low, 0.001), -ln(1 - random())::numeric)
  ),
  rows as (
    select
      k.place, k.free, q.task_uuid, q.step_no, q.visible_at, l.weight, l.dice,
      row_number() over (partition by k.place, l.lane order by q.visible_at) as lane_turn
      from unnest(p_states) as k
     cross join lateral (
       select s.named_step_uuid
         from tasker.limit_lines as s
        where s.limit_no = k.limit_no
          and s.limit_key = k.limit_key
          and (p_handlers is null or s.named_step_uuid = any (p_handlers))
          and (p_settings.paused_handlers = '{}' or not exists (
            select
              from tasker.limits as l
              join tasker.handler_pauses as h
                on h.namespace = l.namespace
             where l.limit_no = k.limit_no
               and h.named_step_uuid = s.named_step_uuid
            offset 0
          ))
       offset 0
     ) as s
     cross join lanes as l
     cross join lateral (
       select q.task_uuid, q.step_no, q.visible_at
         from tasker.step_queue as q
        where q.limit_no = k.limit_no
          and q.limit_key = k.limit_key
          and q.lane = 'limited'
          and q.named_step_uuid = s.named_step_uuid
          and q.limit_lane = l.lane
          and q.visible_at <= p_now
        order by q.visible_at
        limit case when p_task_uuid is null then least(k.free, v_share) else 0 end
     ) as q
     where k.free > 0
    union all
    select k.place, k.free, p_task_uuid, p_step_no, p_now, 1, 0, 1
      from unnest(p_states) as k
     where k.free > 0
       and p_task_uuid is not null
  ),
  turns as (
    select r.*, row_number() over (partition by r.place order by (r.lane_turn - 1 + r.dice) / r.weight, r.visible_at) as turn
      from rows as r
  ),
  chosen as materialized (
    select t.task_uuid, t.step_no
      from turns as t
     where t.turn <= t.free
     order by t.turn, t.place
     limit p_limit
  ),
  locked as materialized (
    select q.task_uuid, q.step_no
      from chosen as c
     cross join lateral (
       select q.task_uuid, q.step_no
         from tasker.step_queue as q
        where q.task_uuid = c.task_uuid
          and q.step_no = c.step_no
          and q.lane = 'limited'
          and q.visible_at <= p_now
          for update skip locked
     ) as q
  ),
  taken as (
    update tasker.step_queue as q
       set visible_at = p_until,
           lane       = 'running',
           claim_no   = tasker.next_claim_no(q.claim_no)
      from locked as k
     where q.task_uuid = any (array[k.task_uuid])
       and q.step_no = k.step_no
    returning q
  )
  select coalesce(array_agg(t.q), '{}') into v_taken from taken as t;
  return v_taken;
end;
$$;

comment on function tasker.take_line_rows is
$$Takes at most p_limit steps from the lines of keys that the caller holds. Takes from each key at most as many steps as it has free places, and at most its share of p_limit. Locks the steps' queue rows, marks them as running under their next claim number, and hides them until p_until. If p_handlers is null, takes steps of all handlers. With p_task_uuid and p_step_no, takes only this step.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/write_limit_lines.sql
create or replace function tasker.write_limit_lines(p_states tasker.limit_states[], p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  -- Also write paid_until if the clock was put back or the burst was made smaller. Otherwise the key would stay closed
  -- until the old time.
  update tasker.limit_keys as k
     set paid_until = p_now + make_interval(secs => (s.ahead_us + s.taken * s.interval_us) / 1000000.0)
    from unnest(p_states) as s
   where k.limit_no = any (array[s.limit_no])
     and k.limit_key = any (array[s.limit_key])
     and s.interval_us is not null
     and (s.taken > 0 or k.paid_until > p_now + make_interval(secs => s.burst * s.interval_us / 1000000.0));

  delete from tasker.limit_lines as l
   using unnest(p_states) as s
   where l.limit_no = any (array[s.limit_no])
     and l.limit_key = any (array[s.limit_key])
     and not exists (
       select
         from tasker.step_queue as q
        where q.limit_no = l.limit_no
          and q.limit_key = l.limit_key
          and q.lane = 'limited'
          and q.named_step_uuid = l.named_step_uuid
       offset 0
     );

  update tasker.limit_lines as l
     set version = s.version,
         next_at = case
           when s.free > s.taken then greatest(
             -- The line has room. If it was just served, it goes to the end of the queue of lines.
             case when s.taken > 0 or l.next_at > p_now or l.version <> s.version then p_now else l.next_at end,
             (
               select min(w.visible_at)
                 from unnest('{high,normal,low}'::tasker.queue_lane[]) as d (lane)
                cross join lateral (
                  select q.visible_at
                    from tasker.step_queue as q
                   where q.limit_no = l.limit_no
                     and q.limit_key = l.limit_key
                     and q.lane = 'limited'
                     and q.named_step_uuid = l.named_step_uuid
                     and q.limit_lane = d.lane
                   order by q.visible_at
                   limit 1
                ) as w
             )
           )
           when s.running + s.taken >= s.concurrency then greatest(
             p_now + interval '1 second',
             coalesce((
               select min(q.visible_at)
                 from tasker.step_queue as q
                where q.limit_no = l.limit_no
                  and q.limit_key = l.limit_key
                  and q.lane = 'running'
             ), 'infinity')
           )
           when s.burst * s.interval_us < s.ahead_us + (s.taken + 1) * s.interval_us then
             p_now + make_interval(secs => (s.ahead_us + (s.taken + 1 - s.burst) * s.interval_us) / 1000000.0)
           else p_now
         end
    from unnest(p_states) as s
   where l.limit_no = any (array[s.limit_no])
     and l.limit_key = any (array[s.limit_key]);
end;
$$;

comment on function tasker.write_limit_lines is
$$Writes the changes of a claim to the keys that the claim holds: charges their rates, deletes empty lines, and writes when all other lines are due again.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/line_candidates.sql
create or replace function tasker.line_candidates(
  p_states    tasker.limit_states[],
  p_handlers  uuid[],
  p_count     integer,
  p_now       timestamptz,
  p_settings  tasker.settings_now
)
  returns setof tasker.step_queue
  language plpgsql
as $$
begin
  return query
  with lanes (lane, weight, dice) as materialized (
    values
      ('high'::tasker.queue_lane, greatest(p_settings.lane_weight_high, 0.001), -ln(1 - random())::numeric),
      ('normal', greatest(p_settings.lane_weight_normal, 0.001), -ln(1 - random())::numeric),
      ('low', greatest(p_settings.lane_weight_low, 0.001), -ln(1 - random())::numeric)
  ),
  rows as (
    select k.place, q.row, l.weight, l.dice, row_number() over (partition by k.place, l.lane order by (q.row).visible_at) as lane_turn
      from unnest(p_states) as k
     cross join lateral (
       select s.named_step_uuid
         from tasker.limit_lines as s
         join tasker.limits as l
           on l.limit_no = s.limit_no
        where s.limit_no = k.limit_no
          and s.limit_key = k.limit_key
          and (p_handlers is null or s.named_step_uuid = any (p_handlers))
          and not tasker.is_paused(l.namespace, s.named_step_uuid, p_settings)
       offset 0
     ) as s
     cross join lanes as l
     cross join lateral (
       select q as row
         from tasker.step_queue as q
        where q.limit_no = k.limit_no
          and q.limit_key = k.limit_key
          and q.lane = 'limited'
          and q.named_step_uuid = s.named_step_uuid
          and q.limit_lane = l.lane
          and q.visible_at <= p_now
        order by q.visible_at
        limit p_count
     ) as q
     where k.free > 0
  ),
  turns as (
    select r.*, row_number() over (partition by r.place order by (r.lane_turn - 1 + r.dice) / r.weight, (r.row).visible_at) as turn
      from rows as r
  )
  select (t.row).* from turns as t order by t.turn, t.place limit p_count;
end;
$$;

comment on function tasker.line_candidates is
$$Returns at most p_count steps that wait in the lines of keys which the caller holds, in the order in which the steps take free places. Within a key, the lanes share the places by their weights. The keys take turns: first one step of each key, then a second step of each key.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/try_limit_keys.sql
create or replace function tasker.try_limit_keys(p_limits integer[], p_keys text[])
  returns boolean
  language plpgsql
as $$
begin
  if cardinality(p_limits) = 1 then
    return true;
  end if;
  perform tasker.insert_limit_keys(p_limits, p_keys, array(
    select not exists (
      select
        from tasker.limit_keys as k
       where k.limit_no = u.limit_no
         and k.limit_key = u.limit_key
      offset 0
    )
      from unnest(p_limits, p_keys) with ordinality as u (limit_no, limit_key, place)
     order by u.place
  ));
  return (
    select count(*) = cardinality(p_limits)
      from unnest(p_limits, p_keys) as u (limit_no, limit_key)
     cross join lateral (
       select
         from tasker.limit_keys as k
        where k.limit_no = u.limit_no
          and k.limit_key = u.limit_key
          for no key update skip locked
     ) as k
  );
end;
$$;

comment on function tasker.try_limit_keys is
$$Locks the other keys of a step, whose first key the caller holds. Returns false if another transaction holds one of these keys.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/change_line.sql
create or replace function tasker.change_line(p_row tasker.step_queue, p_limit_no integer, p_limit_key text, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  update tasker.step_queue as q
     set limit_no  = p_limit_no,
         limit_key = p_limit_key
   where q.task_uuid = p_row.task_uuid
     and q.step_no = p_row.step_no;
  insert into tasker.limit_notes (limit_no, key_hash, limit_key, named_step_uuid, noted_at)
  values (p_limit_no, hashtext(p_limit_key), p_limit_key, p_row.named_step_uuid, p_now);
end;
$$;

comment on function tasker.change_line is
$$Moves a step into the line of another of its limits, which has no room for the step. The step then no longer waits in its former line, and a free place of the other limit makes claims try it again. The caller holds the step's queue row.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/take_places.sql
create or replace function tasker.take_places(p_row tasker.step_queue, p_until timestamptz, p_now timestamptz)
  returns text
  language plpgsql
as $$
declare
  v_limits integer[];
  v_keys   text[];
  v_units  integer[];
  v_states tasker.limit_states[];
  v_full   tasker.limit_states;
begin
  perform
     from tasker.step_queue as q
    where q.task_uuid = p_row.task_uuid
      and q.step_no = p_row.step_no
      and q.lane = 'limited'
      and q.limit_no = p_row.limit_no
      for update skip locked;
  if not found then
    return 'busy';
  end if;
  select array_agg(n.limit_no), array_agg(n.limit_key), array_agg(n.units)
    into v_limits, v_keys, v_units
    from (
      select p_row.limit_no, p_row.limit_key, 1 as units
       where not exists (
         select from tasker.limit_places as h where h.task_uuid = p_row.task_uuid and h.step_no = p_row.step_no offset 0
       )
      union all
      (
        select h.limit_no, h.limit_key, h.units
          from tasker.limit_places as h
         where h.task_uuid = p_row.task_uuid
           and h.step_no = p_row.step_no
         order by h.limit_no <> p_row.limit_no, h.limit_no
      )
    ) as n;
  if not tasker.try_limit_keys(v_limits, v_keys) then
    return 'busy';
  end if;

  -- This statement comes after the locks, so that it counts all rows that were committed before.
  v_states := tasker.limit_states_of(v_limits, v_keys, 1000000, p_now);
  select s.*
    into v_full
    from unnest(v_states) as s
   where s.concurrency - s.running < least(v_units[s.place], greatest(s.concurrency, 1))
      or s.burst * s.interval_us < s.ahead_us + s.interval_us
   order by s.place
   limit 1;
  if v_full.place = 1 then
    return case when v_full.concurrency - v_full.running < least(v_units[1], greatest(v_full.concurrency, 1)) then 'full' else 'early' end;
  elsif found then
    perform tasker.change_line(p_row, v_full.limit_no, v_full.limit_key, p_now);
    return 'moved';
  end if;

  update tasker.step_queue as q
     set visible_at = p_until,
         lane       = 'running',
         claim_no   = tasker.next_claim_no(q.claim_no)
   where q.task_uuid = p_row.task_uuid
     and q.step_no = p_row.step_no;
  update tasker.limit_places as h
     set held_units = h.units - (h.limit_no = p_row.limit_no)::integer
   where h.task_uuid = p_row.task_uuid
     and h.step_no = p_row.step_no;
  update tasker.limit_keys as k
     set paid_until = p_now + make_interval(secs => (s.ahead_us + s.interval_us) / 1000000.0)
    from unnest(v_states) as s
   where k.limit_no = any (array[s.limit_no])
     and k.limit_key = any (array[s.limit_key])
     and s.interval_us is not null;
  return 'taken';
end;
$$;

comment on function tasker.take_places is
$$Takes a step that waits in the line of a key which the caller holds, if all limits of the step have room for it. Locks the step's queue row and the rows of its other keys, marks the queue row as running under its next claim number, hides it until p_until, and charges the rates. Returns 'taken' in this case, and otherwise changes no rate. Returns 'busy' if another transaction holds one of the rows, 'full' if the key has too few free places, and 'early' if the key's rate allows no start. Returns 'moved' if another limit of the step has no room; the step then waits in the line of that limit. Waits for no lock.

If a step needs more units than a limit has, it runs when no other step of the key runs.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/take_place_rows.sql
create or replace function tasker.take_place_rows(
  p_states     tasker.limit_states[],
  p_handlers   uuid[],
  p_limit      integer,
  p_until      timestamptz,
  p_now        timestamptz,
  p_task_uuid  uuid,
  p_step_no    integer,
  p_settings   tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_row     tasker.step_queue;
  v_answer  text;
  v_stopped text[] := '{}';
  v_full    text[] := '{}';
  v_taken   tasker.step_queue[] := '{}';
begin
  for v_row in
    select q.*
      from tasker.step_queue as q
     where q.task_uuid = p_task_uuid
       and q.step_no = p_step_no
       and q.lane = 'limited'
    union all
    select c.*
      from tasker.line_candidates(p_states, p_handlers, p_limit + 10, p_now, p_settings) as c
     where p_task_uuid is null
  loop
    exit when cardinality(v_taken) = p_limit;
    -- Steps that need fewer places do not overtake a step that needs many places. Otherwise that step could wait for
    -- ever.
    continue when format('%s %s', v_row.limit_no, v_row.limit_key) = any (v_stopped);
    v_answer := tasker.take_places(v_row, p_until, p_now);
    if v_answer = 'taken' then
      v_taken := v_taken || (
        select q from tasker.step_queue as q where q.task_uuid = v_row.task_uuid and q.step_no = v_row.step_no
      );
    elsif v_answer in ('full', 'early') then
      v_stopped := v_stopped || format('%s %s', v_row.limit_no, v_row.limit_key);
      v_full := case when v_answer = 'full' then v_full || v_stopped[cardinality(v_stopped)] else v_full end;
    end if;
  end loop;

  perform tasker.write_limit_lines(
    array(
      select (
          s.place, s.limit_no, s.limit_key, s.version, s.concurrency,
          case when f.full then s.concurrency else s.running end - t.starts,
          s.interval_us, s.burst, s.ahead_us - t.starts * s.interval_us,
          case when f.full then 0 else s.free end + t.starts, t.starts, s.with_places
        )::tasker.limit_states
        from unnest(tasker.limit_states_of(
          array(select s.limit_no from unnest(p_states) as s), array(select s.limit_key from unnest(p_states) as s), p_limit, p_now
        )) as s
       cross join lateral (select format('%s %s', s.limit_no, s.limit_key) = any (v_full) as full) as f
       cross join lateral (
         select count(*)::integer as starts from unnest(v_taken) as t where t.limit_no = s.limit_no and t.limit_key = s.limit_key
       ) as t
    ),
    p_now
  );
  return v_taken;
end;
$$;

comment on function tasker.take_place_rows is
$$Takes at most p_limit steps from the lines of keys that the caller holds, and writes when the lines are due again. Takes the steps one after the other, because each step may need several places and other limits. If the next step of a key needs more places than are free, the call takes no further step of this key, and its line is closed until a place is free.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/serve_limit_keys.sql
create or replace function tasker.serve_limit_keys(
  p_limits       integer[],
  p_keys         text[],
  p_handlers     uuid[],
  p_limit        integer,
  p_until        timestamptz,
  p_worker_uuid  uuid,
  p_task_uuid    uuid,
  p_step_no      integer,
  p_settings     tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_now    timestamptz := tasker.write_clock();
  v_states tasker.limit_states[];
  v_lost   tasker.step_queue[];
  v_taken  tasker.step_queue[];
begin
  perform tasker.fold_limit_notes(p_limits, p_keys, v_now);
  -- This statement comes after the locks and the fold, so that it sees the commits that they waited for.
  v_states := tasker.limit_states_of(p_limits, p_keys, p_limit, v_now);

  -- The step of a lost worker holds its place until a claim recovers the step. Recover such steps even if this claim does
  -- not have their handler.
  select array_agg(q)
    into v_lost
    from (
      select distinct on (q.namespace, q.named_step_uuid) q
        from unnest(v_states) as s
       cross join lateral (
         (
           select q.*
             from tasker.limit_places as h
            cross join lateral (
              select q.*
                from tasker.step_queue as q
               where q.task_uuid = h.task_uuid
                 and q.step_no = h.step_no
                 and q.lane = 'running'
                 and q.visible_at <= v_now
              offset 0
            ) as q
            where s.with_places
              and h.limit_no = s.limit_no
              and h.limit_key = s.limit_key
              and h.held_units > 0
            limit 10
         )
         union all
         select q.*
           from tasker.step_queue as q
          where q.limit_no = s.limit_no
            and q.limit_key = s.limit_key
            and q.lane = 'running'
            and q.visible_at <= v_now
          limit 10
       ) as q
       where s.running >= s.concurrency or s.with_places
       order by q.namespace, q.named_step_uuid
    ) as x (q);
  if v_lost is not null and tasker.recover_lost_steps(v_lost, 100, p_worker_uuid) > 0 then
    v_states := tasker.limit_states_of(p_limits, p_keys, p_limit, v_now);
  end if;

  if exists (select from unnest(v_states) as s where s.with_places) then
    return tasker.take_place_rows(v_states, p_handlers, p_limit, p_until, v_now, p_task_uuid, p_step_no, p_settings);
  end if;
  v_taken := '{}';
  if exists (select from unnest(v_states) as s where s.free > 0) then
    v_taken := tasker.take_line_rows(v_states, p_handlers, p_limit, p_until, v_now, p_task_uuid, p_step_no, p_settings);
    v_states := array(
      select (
          s.place, s.limit_no, s.limit_key, s.version, s.concurrency, s.running, s.interval_us, s.burst, s.ahead_us, s.free,
          (select count(*) from unnest(v_taken) as t where t.limit_no = s.limit_no and t.limit_key = s.limit_key), false
        )::tasker.limit_states
        from unnest(v_states) as s
    );
  end if;
  perform tasker.write_limit_lines(v_states, v_now);
  return v_taken;
end;
$$;

comment on function tasker.serve_limit_keys is
$$Takes steps of keys that the caller holds: folds the notes, counts the running steps, takes steps for the free places, charges the rates, and writes when the lines are due again. If no place is free, steps of lost workers go back to the queue first.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/take_limited_rows.sql
create or replace function tasker.take_limited_rows(
  p_namespaces   text[],
  p_handlers     text[],
  p_limit        integer,
  p_until        timestamptz,
  p_worker_uuid  uuid,
  p_settings     tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_now      timestamptz := tasker.write_clock();
  v_handlers uuid[];
  v_limits   integer[];
  v_keys     text[];
  v_taken    tasker.step_queue[] := '{}';
begin
  -- Keys without room give no step, and their lines are closed until a place is free. So try up to four sets of keys.
  for v_round in 1 .. 4 loop
    select array_agg(k.limit_no), array_agg(k.limit_key)
      into v_limits, v_keys
      from tasker.lock_limit_keys(p_namespaces, p_handlers, p_limit - cardinality(v_taken), v_now, p_settings) as k;
    if v_limits is null then
      exit when v_round > 1
             or coalesce(current_setting('tasker.opened_limits', true), '') in ('', '[]')
             or not tasker.await_limit_key(p_namespaces, p_handlers);
      continue;
    end if;
    if v_handlers is null and p_handlers is not null then
      v_handlers := array(
        select k.named_step_uuid
          from unnest(p_handlers) as u (name)
         cross join lateral (
           select k.named_step_uuid
             from tasker.named_steps as k
            where k.name = u.name
           offset 0
         ) as k
      );
    end if;
    v_taken := v_taken || tasker.serve_limit_keys(
      v_limits, v_keys, v_handlers, p_limit - cardinality(v_taken), p_until, p_worker_uuid, null, null, p_settings
    );
    exit when cardinality(v_taken) = p_limit;
  end loop;
  return v_taken;
end;
$$;

comment on function tasker.take_limited_rows is
$$Takes at most p_limit steps that name a limit, of these namespaces and handlers (null: all handlers). Marks the steps as running and hides them until p_until. Skips keys that other transactions hold; these keys stay due for the next claim. Only a call that has itself opened keys waits for one of these keys (tasker.await_limit_key).$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/take_limited_step.sql
create or replace function tasker.take_limited_step(
  p_step_uuid    uuid,
  p_until        timestamptz,
  p_worker_uuid  uuid,
  p_settings     tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_limit_no  integer;
  v_limit_key text;
begin
  select q.limit_no, q.limit_key
    into v_limit_no, v_limit_key
    from tasker.step_queue as q
    join tasker.task_namespaces as n
      on n.name = q.namespace
   where q.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and q.step_no = tasker.step_no_of(p_step_uuid)
     and q.lane = 'limited'
     and n.paused_at is null
     and not tasker.is_paused(q.namespace, q.named_step_uuid, p_settings);
  if not found then
    return '{}';
  end if;

  if not exists (select from tasker.limit_keys as k where k.limit_no = v_limit_no and k.limit_key = v_limit_key) then
    perform tasker.insert_limit_keys(array[v_limit_no], array[v_limit_key], array[true]);
  end if;
  perform
     from tasker.limit_keys as k
    where k.limit_no = v_limit_no
      and k.limit_key = v_limit_key
      for no key update skip locked;
  if not found then
    return '{}';
  end if;
  return tasker.serve_limit_keys(
    array[v_limit_no], array[v_limit_key], null, 1, p_until, p_worker_uuid, tasker.task_uuid_of(p_step_uuid),
    tasker.step_no_of(p_step_uuid), p_settings
  );
end;
$$;

comment on function tasker.take_limited_step is
$$Takes one given step that names a limit, if the limit has room for the step. Marks the step as running and hides it until p_until. Returns an empty array if the limit has no room or another transaction holds the key.$$;
-- <<<

-- >>> db/schema/functions/doors/claims/private/take_gated.sql
create or replace function tasker.take_gated(
  p_namespaces   text[],
  p_handlers     text[],
  p_step_uuid    uuid,
  p_limit        integer,
  p_until        timestamptz,
  p_worker_uuid  uuid,
  p_settings     tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_handlers text[] := p_handlers;
begin
  if p_step_uuid is not null then
    return tasker.take_limited_step(p_step_uuid, p_until, p_worker_uuid, p_settings);
  end if;
  if p_handlers is null and p_settings.handled_here <> '{}' then
    v_handlers := array(select l.handler from tasker.limit_handlers as l where l.named_step_uuid <> all (p_settings.handled_here));
  end if;
  return tasker.take_limited_rows(p_namespaces, v_handlers, p_limit, p_until, p_worker_uuid, p_settings);
end;
$$;

comment on function tasker.take_gated is
$$Door: a claim wants the step p_step_uuid, or steps that are not in the ordinary lanes, such as steps with a limit. Returns the queue rows that were taken.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/start_suspect.sql
create or replace function tasker.start_suspect(
  p_taken        tasker.step_queue[],
  p_worker_uuid  uuid,
  p_lease_until  timestamptz
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now     timestamptz := tasker.write_clock();
  v_process text;
  v_row     tasker.step_queue;
  v_move    tasker.step_moves;
begin
  select u.*
    into v_row
    from unnest(p_taken) as u
   cross join lateral (
     select s.state, s.lost_count
       from tasker.workflow_steps as s
      where s.task_uuid = u.task_uuid
        and s.step_no = u.step_no
        for no key update skip locked
   ) as s
   where s.state = 'enqueued'
     and s.lost_count > 1
   order by u.visible_at
   limit 1;
  if not found then
    return '{}';
  end if;

  v_process := coalesce(
    (select regexp_replace(w.name, '#[0-9]+$', '') from tasker.workers as w where w.worker_uuid = p_worker_uuid), p_worker_uuid::text
  );
  if exists (
    select
      from tasker.workers as w
     cross join lateral (
       select
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(w.suspect_step)
          and s.step_no = tasker.step_no_of(w.suspect_step)
          and s.state = 'in_progress'
          and s.claim_no = w.suspect_claim_no
          -- A suspect that has outlived several leases is less suspect, and other suspects must not wait for its end.
          and s.last_attempted_at > v_now - 3 * make_interval(secs => s.lease_seconds)
       offset 0
     ) as s
     where w.suspect_step is not null
       and regexp_replace(w.name, '#[0-9]+$', '') = v_process
  ) then
    return '{}';
  end if;

  v_move := tasker.write_start(v_row, p_worker_uuid, p_lease_until, true);
  insert into tasker.workers as w (worker_uuid, name, role, suspect_step, suspect_claim_no)
  values (
    p_worker_uuid, p_worker_uuid::text, tasker.set_role(), tasker.step_uuid(v_move.task_uuid, v_move.step_no), v_move.claim_no
  )
  on conflict (worker_uuid) do update
    set suspect_step     = excluded.suspect_step,
        suspect_claim_no = excluded.suspect_claim_no;
  return array[v_move];
end;
$$;

comment on function tasker.start_suspect is
$$Starts one suspect of these queue rows, unless the worker's process runs another suspect that began within its first three leases. A suspect is a step that has lost two or more workers. If several steps were lost together, one of them may be the cause. The next loss shows the cause only if each suspect runs alone. Returns the start, or no row.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/start_steps.sql
create or replace function tasker.start_steps(
  p_taken        tasker.step_queue[],
  p_worker_uuid  uuid,
  p_lease_until  timestamptz
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_move  tasker.step_moves;
  v_moves tasker.step_moves[];
begin
  if cardinality(p_taken) = 0 then
    return '{}';
  elsif cardinality(p_taken) = 1 then
    v_move := tasker.write_start(p_taken[1], p_worker_uuid, p_lease_until, false);
    v_moves := case when v_move.task_uuid is not null then array[v_move] else '{}' end;
  else
    v_moves := tasker.write_starts(p_taken, p_worker_uuid, p_lease_until);
  end if;

  -- Another transaction holds the step, or the step is a suspect that must wait for another suspect. Try the row of the
  -- step again in a second.
  if cardinality(p_taken) > cardinality(v_moves) then
    v_moves := v_moves || tasker.start_suspect(p_taken, p_worker_uuid, p_lease_until);
    update tasker.step_queue as q
       set lane       = tasker.step_lane('enqueued', s.priority),
           claim_no   = s.claim_no,
           visible_at = tasker.write_clock() + interval '1 second'
      from unnest(p_taken) as u
     cross join lateral (
       select s.priority, s.claim_no
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.step_no = u.step_no
       offset 0
     ) as s
     where q.task_uuid = any (array[u.task_uuid])
       and q.step_no = u.step_no
       and not exists (
         select
           from unnest(v_moves) as l
          where l.task_uuid = u.task_uuid
            and l.step_no = u.step_no
       );
    -- The step gives up its place in the limit and waits for a new place.
    perform tasker.moved(array_agg(tasker.step_move(
      p_task_uuid => u.task_uuid, p_step_no => u.step_no, p_from_state => 'in_progress', p_event => 'Release',
      p_to_state => 'enqueued'
    ) order by u.task_uuid, u.step_no), 260::smallint)
       from unnest(p_taken) as u
      where u.limit_no is not null
        and not exists (
          select
            from unnest(v_moves) as l
           where l.task_uuid = u.task_uuid
             and l.step_no = u.step_no
        )
     having count(*) > 0;
  end if;
  return v_moves;
end;
$$;

comment on function tasker.start_steps is
$$Starts the steps of these queue rows, which the caller has taken. Each step gets a new claim number, one more attempt and a lease. Returns the starts. At most one suspect (tasker.start_suspect) starts.

The function begins with the queue, the end of the lock order, so it skips steps that other transactions hold.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/claim_mark.sql
create or replace function tasker.claim_mark(p_namespaces text[], p_handlers text[], p_now timestamptz)
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_kept text[] := string_to_array(current_setting('tasker.claim_mark', true), ' ');
begin
  if v_kept[1] = md5(p_namespaces::text || p_handlers::text)
     and to_timestamp(v_kept[2]::float8) between p_now - interval '1 second' and p_now then
    return to_timestamp(v_kept[3]::float8);
  end if;
  return '-infinity';
end;
$$;

comment on function tasker.claim_mark is
$$Returns the mark that tasker.keep_claim_mark kept in this session for the same namespaces and handlers: the time from which the queue has to be read. Returns -infinity if the queue was last read from the beginning more than a second ago.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/keep_claim_mark.sql
create or replace function tasker.keep_claim_mark(
  p_namespaces  text[],
  p_handlers    text[],
  p_now         timestamptz,
  p_all         boolean,
  p_groups      tasker.step_queue[]
)
  returns void
  language plpgsql
as $$
declare
  v_read text := extract(epoch from p_now);
  v_ok   text;
begin
  if not p_all then
    v_read := split_part(current_setting('tasker.claim_mark'), ' ', 2);
  end if;
  -- Transactions that are open now may write rows that are dated back to the beginning of the transaction.
  v_ok := set_config('tasker.claim_mark', concat_ws(
    ' ',
    md5(p_namespaces::text || p_handlers::text),
    v_read,
    extract(epoch from least((select min(g.visible_at) from unnest(p_groups) as g), p_now - interval '250 milliseconds'))
  ), false);
end;
$$;

comment on function tasker.keep_claim_mark is
$$Keeps a mark in the session: the time from which the next claim for these handlers reads the queue. It is the time of the oldest row that this claim found. p_all is true if this claim read the queue from the beginning. The mark is a setting of the session, because such a setting lives as long as the session and costs no write. Locks nothing.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/take_steps.sql
create or replace function tasker.take_steps(
  p_namespaces     text[],
  p_worker_uuid    uuid,
  p_limit          integer,
  p_lease_seconds  integer,
  p_handlers       text[],
  p_settings       tasker.settings_now
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now    timestamptz;
  v_until  timestamptz;
  v_groups tasker.step_queue[];
  v_lost   tasker.step_queue[];
  v_taken  tasker.step_queue[];
  v_moves  tasker.step_moves[] := '{}';
  v_more   tasker.step_moves[];
  v_share  integer;
  v_others text[] := '{}'; -- namespaces whose steps are sent in messages
  v_marked boolean     := p_handlers is not null and tasker.queue_is_bloated();
  v_since  timestamptz := '-infinity'; -- the time from which the queue is read
begin
  if v_marked then
    v_since := tasker.claim_mark(p_namespaces, p_handlers, tasker.write_clock());
  end if;
  if p_settings.any_brokered then
    v_others := tasker.brokered_namespaces();
  end if;

  -- Lost steps that return to the queue may be claimed at once.
  for v_turn in 1 .. 2 loop
    v_now := tasker.write_clock();
    if p_handlers is null then
      select
        array_agg(g) filter (where g.lane in ('high', 'normal', 'low') and g.namespace <> all (v_others) and not tasker.is_paused(g.namespace, g.named_step_uuid, p_settings)),
        array_agg(g) filter (where g.lane = 'running')
        into v_groups, v_lost
        from tasker.queue_groups(p_namespaces) as g
       where g.visible_at <= v_now and g.named_step_uuid <> all (p_settings.handled_here);
    else
      select
        array_agg(g) filter (where g.lane in ('high', 'normal', 'low') and g.namespace <> all (v_others) and not tasker.is_paused(g.namespace, g.named_step_uuid, p_settings)),
        array_agg(g) filter (where g.lane = 'running')
        into v_groups, v_lost
        from tasker.handler_groups(p_namespaces, p_handlers, v_now, v_since) as g;
    end if;
    if v_groups is null and v_lost is null and v_since > '-infinity' then
      v_since := '-infinity'; -- before it gives up, the claim reads the whole queue
      continue;
    end if;
    exit when v_lost is null or v_turn = 2 or tasker.recover_lost_steps(v_lost, 100, p_worker_uuid) = 0;
  end loop;
  if v_marked then
    perform tasker.keep_claim_mark(p_namespaces, p_handlers, v_now, v_since = '-infinity', v_groups || v_lost);
  end if;
  if v_groups is null and not tasker.is_gated(p_handlers, p_settings) then
    return '{}';
  end if;

  -- A lease begins when the claim is made, not when the call began to wait for its turn.
  v_until := v_now + make_interval(secs => coalesce(p_lease_seconds, p_settings.lease_seconds));
  if not tasker.is_gated(p_handlers, p_settings) then
    -- Take rows again if steps could not start, such as suspects, because other steps must not wait for them.
    for v_turn in 1 .. 5 loop
      v_taken := tasker.take_queue_rows(v_groups, p_limit - cardinality(v_moves), v_until, true, p_settings);
      v_more := tasker.start_steps(v_taken, p_worker_uuid, v_until);
      v_moves := v_moves || v_more;
      exit when cardinality(v_taken) = cardinality(v_more) or cardinality(v_moves) = p_limit;
    end loop;
    return v_moves;
  end if;

  -- Half for steps that name a limit, half for all other steps. Each half also gets the unused places of the other half.
  v_taken := '{}';
  v_share := case when v_groups is null then p_limit else floor(p_limit * 0.5 + random()) end;
  if v_share > 0 then
    v_taken := tasker.take_gated(p_namespaces, p_handlers, null, v_share, v_until, p_worker_uuid, p_settings);
  end if;
  v_share := case when cardinality(v_taken) = v_share then p_limit else 0 end;
  if v_groups is not null and cardinality(v_taken) < p_limit then
    v_taken := v_taken || tasker.take_queue_rows(v_groups, p_limit - cardinality(v_taken), v_until, true, p_settings);
  end if;
  if cardinality(v_taken) < v_share then
    v_taken := v_taken || tasker.take_gated(
      p_namespaces, p_handlers, null, v_share - cardinality(v_taken), v_until, p_worker_uuid, p_settings
    );
  end if;
  return tasker.start_steps(v_taken, p_worker_uuid, v_until);
end;
$$;

comment on function tasker.take_steps is
$$Returns steps of these handlers (null: all) to the queue if their lease has ended, then takes ready steps of these namespaces and handlers and starts them. In namespaces with transport broker it takes only steps that name a limit. It takes no steps of paused handlers. Returns the starts.

If an old snapshot keeps many dead rows in the queue, the search begins where the session's last claim for these handlers found the oldest row (tasker.claim_mark). The search begins there for at most a second, and only if there are rows from there on.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/note_worker.sql
create or replace function tasker.note_worker(
  p_worker_uuid   uuid,
  p_request_uuid  uuid,
  p_seen_at       timestamptz,
  p_moves         tasker.step_moves[],
  p_begun         integer,
  p_waiting       uuid[]
)
  returns boolean
  language plpgsql
as $$
declare
  v_now       timestamptz := tasker.write_clock();
  v_request   uuid;
  v_uuids     uuid[];
  v_claim_nos integer[];
  v_begun     integer := case when p_begun < cardinality(p_moves) then p_begun end;
begin
  -- A claim that found no step writes nothing, unless the worker was not seen for a while. Its reply need not be
  -- repeatable, and a commit with writes waits for the disk.
  if cardinality(p_moves) = 0 and p_seen_at >= v_now - interval '10 seconds' then
    return false;
  end if;

  if cardinality(p_moves) > 0 and (p_request_uuid is not null or v_begun is not null) then
    v_request := p_request_uuid;
    if cardinality(p_moves) = 1 then
      v_uuids := array[tasker.step_uuid(p_moves[1].task_uuid, p_moves[1].step_no)];
      v_claim_nos := array[p_moves[1].claim_no];
    else
      select array_agg(tasker.step_uuid(m.task_uuid, m.step_no)), array_agg(m.claim_no)
        into v_uuids, v_claim_nos
        from unnest(p_moves) as m;
    end if;
  end if;

  update tasker.workers as w
     set last_seen_at      = v_now,
         claimed_count     = w.claimed_count + cardinality(p_moves),
         request_uuid      = v_request,
         request_steps     = v_uuids,
         request_claim_nos = v_claim_nos,
         request_begun     = v_begun,
         waiting_steps     = p_waiting
   where w.worker_uuid = p_worker_uuid;
  if found then
    return true;
  end if;

  -- An unknown worker that has found no step gets no row, because a client can make up any number of UUIDs.
  if cardinality(p_moves) = 0 then
    return false;
  end if;
  insert into tasker.workers (
    worker_uuid, name, role, may_serve, claimed_count, request_uuid, request_steps, request_claim_nos, request_begun
  )
  values (
    p_worker_uuid, p_worker_uuid::text, tasker.set_role(), tasker.bound_namespaces(), cardinality(p_moves), v_request, v_uuids,
    v_claim_nos, v_begun
  )
  on conflict (worker_uuid) do nothing;
  return true;
end;
$$;

comment on function tasker.note_worker is
$$Records a worker's heartbeat and its newest claim. p_seen_at is the time when the worker was last seen, or null if the record must be written. The worker begins the first p_begun of the claimed steps at once. All other claimed steps, and the steps p_waiting, wait for a handler. An unregistered worker is inserted with its first step, with its UUID as name. Returns whether it wrote the record. The lock on this record is the last lock of a claim.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/repeated_claim.sql
create or replace function tasker.repeated_claim(p_worker_uuid uuid, p_request_uuid uuid)
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'enqueued', p_event => 'Start',
      p_to_state => 'in_progress', p_claim_no => s.claim_no, p_worker_uuid => s.worker_uuid,
      p_lease_until => s.lease_until
    )
      from tasker.workers as w
     cross join lateral unnest(w.request_steps, w.request_claim_nos) with ordinality as u (step_uuid, claim_no, position)
     cross join lateral (
       select s.task_uuid, s.step_no, s.state, s.claim_no, s.worker_uuid, s.lease_until
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and s.step_no = tasker.step_no_of(u.step_uuid)
       offset 0
     ) as s
     where w.worker_uuid = p_worker_uuid
       and w.request_uuid = p_request_uuid
       and s.state = 'in_progress'
       and s.claim_no = u.claim_no
     order by u.position
  );
end;
$$;

comment on function tasker.repeated_claim is
$$If the worker's newest claim had the UUID of this request, returns the starts of the steps of that claim that still run.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/gather_parent_results.sql
create or replace function tasker.gather_parent_results(p_task_uuid uuid, p_step_no integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_parent  record;
  v_bytes   bigint  := 0;
  v_names   text[]  := '{}';
  v_results jsonb[] := '{}';
  v_array   text    := (
    select tasker.array_step(s.task_uuid, s.map_no)
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
       and s.map_no is not null
  );
begin
  -- Results are read one after the other, so that no result beyond the budget is read.
  for v_parent in
    select p.name, p.results, p.step_no, p.expansion is not null and p.results is null as maps
      from tasker.workflow_step_edges as e
     cross join lateral (
       select p.name, p.results, p.state, p.step_no, p.expansion
         from tasker.workflow_steps as p
        where p.task_uuid = e.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     where e.task_uuid = p_task_uuid
       and e.to_step_no = p_step_no
       and p.state in ('complete', 'resolved_manually')
       and p.name is distinct from v_array
  loop
    if v_parent.maps then
      v_parent.results := tasker.composed_result(p_task_uuid, v_parent.step_no, p_bytes - v_bytes);
      if v_parent.results is null then
        return null;
      end if;
    end if;
    v_bytes := v_bytes + coalesce(octet_length(v_parent.results::text), 0);
    if v_bytes > p_bytes then
      return null;
    end if;
    v_names := v_names || v_parent.name;
    v_results := v_results || v_parent.results;
  end loop;

  return (
    select coalesce(jsonb_object_agg(u.name, u.results), '{}')
      from unnest(v_names, v_results) as u (name, results)
  );
end;
$$;

comment on function tasker.gather_parent_results is
$$Returns the results of a step that has many parents, as an object by the names of the parents, or null if the results are larger than p_bytes.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/gathered_at_once.sql
create or replace function tasker.gathered_at_once(p_settings tasker.settings_now)
  returns integer
  language plpgsql
  immutable
as $$
begin
  return 134217728 / p_settings.result_bytes;
end;
$$;

comment on function tasker.gathered_at_once is
$$Returns the number of parents whose results always fit into one value, however large the results are.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/describe_claim.sql
create or replace function tasker.describe_claim(p_move tasker.step_moves, p_settings tasker.settings_now)
  returns tasker.claimed_steps
  language plpgsql
  stable
as $$
declare
  v_share   bigint := p_settings.claim_bytes;
  v_step    tasker.claimed_steps;
  v_parents integer;
  v_named   uuid;
  v_added   boolean;
  v_bytes   bigint;
  v_array   text; -- the parent step whose result is the map's array; an instance gets only its own element of this array
  v_round   integer;
  v_undo_no integer; -- 0: the step waits for a failure
begin
  select
    s.workflow_step_uuid, s.claim_no, s.task_uuid, s.step_no, k.namespace, k.name, k.version, s.name, h.name,
    s.attempts, s.max_attempts, s.lost_count, s.priority, s.lease_until, s.timeout_seconds,
    t.correlation_id, t.parent_correlation_id, t.headers, s.inputs, s.checkpoint,
    case when s.attempts > 1 then s.last_error end, t.context, null,
    s.total_parents, t.named_task_uuid, t.has_added_edges, octet_length(t.context::text),
    case when s.map_no is not null then tasker.array_step(s.task_uuid, s.map_no) end,
    s.function_round, coalesce(s.undo_no, case when s.effects & 4096 <> 0 then 0 end)
    into
      v_step.step_uuid, v_step.claim_no, v_step.task_uuid, v_step.step_no, v_step.namespace, v_step.task_name,
      v_step.task_version, v_step.name, v_step.handler,
      v_step.attempt, v_step.max_attempts, v_step.lost_count, v_step.priority, v_step.lease_until, v_step.timeout_seconds,
      v_step.correlation_id, v_step.parent_correlation_id, v_step.headers, v_step.inputs, v_step.checkpoint,
      v_step.last_error, v_step.context, v_step.parent_results,
      v_parents, v_named, v_added, v_bytes, v_array, v_round, v_undo_no
    from tasker.workflow_steps as s
   cross join tasker.tasks as t
    join tasker.creation_plans as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.named_steps as h
      on h.named_step_uuid = s.named_step_uuid
   where s.task_uuid = p_move.task_uuid
     and s.step_no = p_move.step_no
     and t.task_uuid = p_move.task_uuid;
  if v_bytes > v_share then
    v_step.context := null;
  end if;

  v_share := v_share - v_bytes;
  if v_parents = 0 then
    v_step.parent_results := '{}';
  elsif v_parents > tasker.gathered_at_once(p_settings) then
    v_step.parent_results := tasker.gather_parent_results(v_step.task_uuid, v_step.step_no, v_share);
  else
    select
      coalesce(sum(octet_length(r.results::text)), 0),
      case when bool_and(r.known) is not false then coalesce(jsonb_object_agg(p.name, r.results), '{}') end
      into v_bytes, v_step.parent_results
      from tasker.step_parents(p_move.task_uuid, v_named, v_added, p_move.step_no) as e
     cross join lateral (
       select p.name, p.results, p.state, p.step_no, p.expansion is not null and p.results is null as maps
         from tasker.workflow_steps as p
        where p.task_uuid = p_move.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     cross join lateral (
       select x.results, not p.maps or x.results is not null as known
         from (
           select case when p.maps then tasker.composed_result(p_move.task_uuid, p.step_no, v_share) else p.results end as results
         ) as x
       offset 0
     ) as r
     where p.state in ('complete', 'resolved_manually')
       and p.name is distinct from v_array;
    if v_bytes > v_share then
      v_step.parent_results := null;
    end if;
  end if;
  if v_round is not null then
    v_step.kept := tasker.handed_kept(v_step.task_uuid, v_step.step_no, v_round, v_share);
  end if;
  if v_undo_no is not null then
    v_step.inputs := tasker.handed_inputs(v_step.task_uuid, v_step.step_no, v_undo_no, v_step.inputs, v_share);
  end if;
  return v_step;
end;
$$;

comment on function tasker.describe_claim is
$$Returns the data that the handler of a claimed step needs, as tasker.describe_claims does for many steps.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/describe_claims.sql
create or replace function tasker.describe_claims(p_moves tasker.step_moves[], p_settings tasker.settings_now)
  returns setof tasker.claimed_steps
  language plpgsql
  stable
as $$
declare
  -- Each step has the same share, so that a step with large data cannot take the shares of the other steps.
  v_share bigint  := p_settings.claim_bytes / greatest(cardinality(p_moves), 1);
  v_few   integer := tasker.gathered_at_once(p_settings);
  v_tasks uuid[]  := array(select distinct s.task_uuid from unnest(p_moves) as s order by s.task_uuid);
  v_first uuid    := v_tasks[1];
  v_last  uuid    := v_tasks[cardinality(v_tasks)];
begin
  return query
  select
    s.workflow_step_uuid, s.claim_no, s.task_uuid, s.step_no, k.namespace, k.name, k.version, s.name,
    (select h.name from tasker.named_steps as h where h.named_step_uuid = s.named_step_uuid),
    s.attempts, s.max_attempts, s.lost_count, s.priority, s.lease_until, s.timeout_seconds,
    t.correlation_id, t.parent_correlation_id, t.headers,
    case
      when s.undo_no is not null or s.effects & 4096 <> 0
        then tasker.handed_inputs(s.task_uuid, s.step_no, coalesce(s.undo_no, 0), s.inputs, v_share - t.bytes)
      else s.inputs
    end,
    s.checkpoint,
    case when s.attempts > 1 then s.last_error end,
    case when t.bytes <= v_share then t.context end,
    case
      when s.total_parents = 0 then '{}'::jsonb
      when s.total_parents > v_few then tasker.gather_parent_results(s.task_uuid, s.step_no, v_share - t.bytes)
      when r.bytes <= v_share - t.bytes and r.known then r.results
    end,
    case when s.function_round is not null then tasker.handed_kept(s.task_uuid, s.step_no, s.function_round, v_share - t.bytes) end
  from unnest(p_moves) with ordinality as m
  cross join lateral (
    select
      s.task_uuid, s.step_no, s.workflow_step_uuid, s.claim_no, s.name, s.named_step_uuid, s.attempts, s.max_attempts,
      s.lost_count, s.priority, s.lease_until, s.timeout_seconds, s.inputs, s.checkpoint, s.last_error, s.total_parents,
      case when s.map_no is not null then tasker.array_step(s.task_uuid, s.map_no) end as array_step,
      s.function_round, s.undo_no, s.effects
      from tasker.workflow_steps as s
     where s.task_uuid = m.task_uuid
       and s.task_uuid between v_first and v_last
       and s.step_no = m.step_no
    offset 0
  ) as s
  cross join lateral (
    select
      t.named_task_uuid, t.has_added_edges, t.correlation_id, t.parent_correlation_id, t.headers, t.context,
      octet_length(t.context::text) as bytes
      from tasker.tasks as t
     where t.task_uuid = s.task_uuid
       and t.task_uuid between v_first and v_last
    offset 0
  ) as t
  join tasker.creation_plans as k
    on k.named_task_uuid = t.named_task_uuid
  left join lateral (
    select
      coalesce(sum(octet_length(x.results::text)), 0) as bytes,
      coalesce(jsonb_object_agg(p.name, x.results), '{}') as results,
      bool_and(not p.maps or x.results is not null) is not false as known
    from tasker.step_parents(s.task_uuid, t.named_task_uuid, t.has_added_edges, s.step_no) as e
    cross join lateral (
      select p.name, p.results, p.state, p.step_no, p.expansion is not null and p.results is null as maps
        from tasker.workflow_steps as p
       where p.task_uuid = s.task_uuid
         and p.task_uuid between v_first and v_last
         and p.step_no = e.from_step_no
      offset 0
    ) as p
    cross join lateral (
      select
        case when p.maps then tasker.composed_result(s.task_uuid, p.step_no, v_share - t.bytes) else p.results end as results
      offset 0
    ) as x
    where s.total_parents between 1 and v_few
      and p.state in ('complete', 'resolved_manually')
      and p.name is distinct from s.array_step
  ) as r
    on true
  order by m.ordinality;
end;
$$;

comment on function tasker.describe_claims is
$$Returns the data that the handlers of claimed steps need, one row for each step in order. Each step has the same share of the setting "claim_bytes". A context, parents' results, or the result of a step that is to be undone are omitted if they are larger than this share.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/claim.sql
create or replace function tasker.claim(
  p_namespaces     text[],
  p_worker_uuid    uuid,
  p_limit          integer,
  p_lease_seconds  integer,
  p_handlers       text[],
  p_request_uuid   uuid,
  p_ahead          integer,
  p_waiting        uuid[],
  p_settings       tasker.settings_now
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_now        timestamptz := tasker.write_clock();
  v_since      timestamptz := case when tasker.timers_are_bloated() then tasker.timer_mark(v_now) else '-infinity' end;
  v_namespaces text[];
  v_none       boolean;
  v_timer      timestamptz; -- the time since which the first timer is due
  v_turns      text[];
  v_heard      boolean;
  v_request    uuid;
  v_seen_at    timestamptz;
  v_login      text;
  v_role       text;
  v_waiting    boolean; -- whether steps waited for a handler at the worker's newest exchange
  v_moves      tasker.step_moves[];
  v_noted      boolean;
  v_fired      integer := 0;
begin
  -- A claim locks steps before it reads their tasks, while retention locks the tables starting with tasks. The first
  -- column locks the tables in that order here too, without reading a row. The other conditions use indexes.
  select
    exists (select from tasker.tasks as t where false),
    (select min(m.due_at) from tasker.timers as m where m.due_at between v_since and v_now),
    exists (select from tasker.lease_clock as c where c.heard_since >= '-infinity'),
    array(
      select n.name
        from tasker.task_namespaces as n
       where n.name >= ''
         and n.paused_at is null
         and (p_namespaces is null or n.name = any (p_namespaces))
    ),
    w.request_uuid,
    w.last_seen_at,
    w.login,
    w.role,
    cardinality(w.waiting_steps) > 0 or w.request_begun is not null
    into v_none, v_timer, v_heard, v_namespaces, v_request, v_seen_at, v_login, v_role, v_waiting
    from (select) as one
    left join tasker.workers as w
      on w.worker_uuid = p_worker_uuid;
  if v_login <> session_user or v_login is not null and v_role is distinct from tasker.set_role() then
    perform tasker.raise_other_worker(p_worker_uuid);
  end if;
  if not v_heard then
    perform tasker.note_lease_clock();
  end if;
  -- If fewer namespaces were found than were named, some namespaces are paused or do not exist.
  if p_settings.any_bound or tasker.is_scoped() or cardinality(v_namespaces) < cardinality(p_namespaces) then
    v_namespaces := tasker.claimable_namespaces(p_namespaces);
  end if;

  if v_request = p_request_uuid then
    v_moves := tasker.repeated_claim(p_worker_uuid, p_request_uuid);
  else
    -- If more timers are due than calls fire, namespaces take turns. The claim's own namespaces come first. All other
    -- namespaces have their turns while none of the claim's steps is ready.
    if v_timer < v_now - interval '1 second' then
      v_turns := v_namespaces;
    end if;
    if v_timer is not null then
      -- The claim starts as many instances of maps as it may claim steps, but at least 25 instances. Each instance
      -- costs about as much as a claimed step. It delivers events to half as many steps, because deliveries cost more.
      v_fired := tasker.fire_timers(
        row(100, greatest(p_limit, 25), greatest(p_limit / 2, 5), interval '0', p_worker_uuid)::tasker.fire_budgets, v_since, v_turns, (random() < 0.05)::integer
      );
    end if;
    v_moves := tasker.take_steps(v_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_settings);
    if (v_since > '-infinity' or v_turns is not null) and v_fired = 0 and cardinality(v_moves) = 0 then
      -- If there is no other work, fire all due timers, including timers before the mark and timers of all namespaces.
      v_fired := tasker.fire_timers(
        row(100, greatest(p_limit, 25), greatest(p_limit / 2, 5), interval '0', p_worker_uuid)::tasker.fire_budgets, '-infinity', v_turns, 10
      );
      if v_fired > 0 then
        v_moves := tasker.take_steps(v_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_settings);
      end if;
    end if;
    -- No step is ready, so no step waits while the worker also fires the timers that the first timers made due. For
    -- example, the end of a child reaches the parent, the parent fails and is undone, and its compensation starts. The
    -- worker also delivers an event to more steps.
    for v_round in 1 .. 3 loop
      exit when v_fired = 0 or cardinality(v_moves) > 0 or not tasker.fire_rest(case v_round when 1 then 100 else 0 end, p_worker_uuid);
      v_moves := tasker.take_steps(v_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_settings);
    end loop;
    if v_waiting or cardinality(p_waiting) > 0 then
      v_seen_at := null; -- the worker's record of its waiting steps has to be written
    end if;
    v_noted := tasker.note_worker(p_worker_uuid, p_request_uuid, v_seen_at, v_moves, p_limit - p_ahead, p_waiting);
  end if;
  return v_moves;
end;
$$;

comment on function tasker.claim is
$$Claims steps with checked arguments: first does the work that is due, then takes and starts steps. Returns the starts, which tasker.describe_claims describes.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/claim_steps.sql
create or replace function tasker.claim_steps(
  p_namespaces     text[],
  p_worker_uuid    uuid,
  p_limit          integer  default 1,
  p_lease_seconds  integer  default null,
  p_handlers       text[]   default null,
  p_request_uuid   uuid     default null
)
  returns setof tasker.claimed_steps
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
  v_settings tasker.settings_now;
  v_moves    tasker.step_moves[];
begin
  p_limit := coalesce(p_limit, 1);
  perform tasker.check_claim(p_worker_uuid, p_limit, p_lease_seconds);
  select c.* into v_settings from tasker.settings_now as c;
  v_moves := tasker.claim(p_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_request_uuid, 0, null, v_settings);
  if cardinality(v_moves) = 1 then
    return next tasker.describe_claim(v_moves[1], v_settings);
  elsif cardinality(v_moves) > 1 then
    return query select c.* from tasker.describe_claims(v_moves, v_settings) as c;
  end if;
end;
$$;

comment on function tasker.claim_steps is
$$Hands at most p_limit ready steps of these namespaces (null: all) and handlers (null: all) to a worker, under a lease. Each step comes with its claim number and all that its handler needs. No step is handed to two workers. The settings lane_weight_… divide the claimed steps among the lanes. Namespaces take turns. Paused namespaces and handlers are skipped. The steps that have waited longest go first.

A claim first does the work that is due. It fires timers, advances tasks that a direct call touched, and returns steps of these namespaces and handlers to the queue if their worker let the lease end. So a system needs only workers to make progress. If a reply is lost, repeat the call with the same p_request_uuid: it hands out the same steps again if they still run.

Locks queue rows, steps and the tasks of due timers, without waiting. Locks the worker's row last. Raises TK422 for an argument out of range, TK404 for an unknown namespace, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK409 above READ COMMITTED.$$;

grant execute on function tasker.claim_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/rows/features/publishing/published_steps.sql
create or replace view tasker.published_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as handler,
  '00000000-0000-0000-0000-000000000000'::uuid as correlation_id,
  false::boolean as again
where false;

comment on view tasker.published_steps is
  'Row type: a step for which a message is to be sent.';
comment on column tasker.published_steps.again is
  'Whether an earlier message for the step seems to be lost.';
-- <<<

-- >>> db/schema/functions/features/publishing/private/check_publishing.sql
create or replace function tasker.check_publishing(
  p_namespace      text,
  p_lane           text,
  p_limit          integer,
  p_depth          bigint,
  p_again_seconds  integer
)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.check_namespace_exists(p_namespace);
  if (p_lane in ('high', 'normal', 'low') and p_limit between 1 and 1000 and coalesce(p_depth, 0) >= 0
      and p_again_seconds between 1 and 86400) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('steps of namespace "%s" cannot be published with these values', p_namespace),
      detail  = format(
        'lane %s, at most %s rows, depth %s, again after %s seconds',
        coalesce(left(p_lane, 100), 'null'), coalesce(p_limit::text, 'null'), p_depth, coalesce(p_again_seconds::text, 'null')
      ),
      hint    = 'The lane is high, normal or low, rows are 1 to 1000, seconds 1 to 86400; the depth is not below 0.';
  end if;
end;
$$;

comment on function tasker.check_publishing is
$$Checks the arguments of tasker.publish_steps. Raises TK404 for an unknown namespace, TK422 for an argument out of range.$$;
-- <<<

-- >>> db/schema/functions/features/publishing/private/overdue_before.sql
create or replace function tasker.overdue_before(
  p_overdue        tasker.step_queue[],
  p_now            timestamptz,
  p_depth          bigint,
  p_again_seconds  integer
)
  returns timestamptz
  language plpgsql
  stable
as $$
begin
  if p_overdue is null then
    return null;
  end if;
  -- If the broker has fewer messages than there are overdue rows, some messages are lost, and all overdue rows are
  -- published again. Otherwise only rows are published again that were published at least ten times p_again_seconds ago.
  return case
    when p_depth < (
      select count(*)
        from unnest(p_overdue) as g
       cross join lateral (
         select
           from tasker.step_queue as k
          where k.namespace = g.namespace
            and k.lane = g.lane
            and k.named_step_uuid = g.named_step_uuid
            and k.visible_at <= p_now
          limit least(p_depth, 100000) + 1
       ) as k
    ) then p_now
    else p_now - make_interval(secs => 9 * p_again_seconds)
  end;
end;
$$;

comment on function tasker.overdue_before is
$$Returns the due time up to which published rows are published again, or null if no row is overdue. p_overdue has the first overdue row of each group.$$;
-- <<<

-- >>> db/schema/functions/features/publishing/publish_steps.sql
create or replace function tasker.publish_steps(
  p_namespace      text,
  p_lane           text,
  p_limit          integer  default 100,
  p_depth          bigint   default null,
  p_again_seconds  integer  default 60
)
  returns setof tasker.published_steps
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
  v_now       timestamptz;
  v_lane      tasker.queue_lane;
  v_namespace tasker.task_namespaces;
  v_ready     tasker.step_queue[];
  v_overdue   tasker.step_queue[];
  v_lost      timestamptz; -- a published row is published again if it was due by this time
begin
  p_limit         := coalesce(p_limit, 100);
  p_again_seconds := coalesce(p_again_seconds, 60);
  perform tasker.check_isolation();
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_publishing(p_namespace, p_lane, p_limit, p_depth, p_again_seconds);
  v_lane := p_lane::tasker.queue_lane;

  -- The lock makes a change of the transport wait until these rows are marked. The change then returns them to the queue.
  select n.*
    into v_namespace
    from tasker.task_namespaces as n
   where n.name = p_namespace
     for share;
  if v_namespace.transport <> 'broker' or v_namespace.paused_at is not null then
    return;
  end if;
  perform from tasker.tasks as t where false;
  v_now := tasker.write_clock();
  select
    array_agg(g) filter (where g.lane = v_lane),
    array_agg(g) filter (where g.lane = tasker.published_lane(v_lane) and p_depth is not null)
    into v_ready, v_overdue
    from tasker.queue_groups(array[p_namespace]) as g
   where g.lane in (v_lane, tasker.published_lane(v_lane))
     and g.visible_at <= v_now
     and not exists (select from tasker.handler_pauses as p where p.namespace = g.namespace and p.named_step_uuid = g.named_step_uuid);
  v_lost := tasker.overdue_before(v_overdue, v_now, p_depth, p_again_seconds);
  if v_ready is null and v_lost is null then
    return;
  end if;

  return query
  with locked as materialized (
    select k.task_uuid, k.step_no, k.visible_at, k.named_step_uuid, k.lane
      from unnest(v_overdue || v_ready) as g
     cross join lateral (
       select k.*
         from tasker.step_queue as k
        where k.namespace = g.namespace
          and k.lane = g.lane
          and k.named_step_uuid = g.named_step_uuid
          and k.visible_at <= case when g.lane = v_lane then v_now else v_lost end
        order by k.visible_at
        limit p_limit
          for update skip locked
     ) as k
  ),
  chosen as (
    select l.*
      from locked as l
     order by l.lane desc, l.visible_at, l.task_uuid, l.step_no
     limit p_limit
  ),
  marked as (
    update tasker.step_queue as q
       set lane       = tasker.published_lane(v_lane),
           visible_at = v_now + make_interval(secs => p_again_seconds)
      from chosen as c
     where q.task_uuid = any (array[c.task_uuid])
       and q.step_no = c.step_no
    returning q.task_uuid, q.step_no, c.named_step_uuid, c.lane, c.visible_at
  )
  select tasker.step_uuid(m.task_uuid, m.step_no), m.task_uuid, h.name, t.correlation_id, m.lane <> v_lane
    from marked as m
   cross join lateral (
     select h.name from tasker.named_steps as h where h.named_step_uuid = m.named_step_uuid offset 0
   ) as h
   cross join lateral (
     select t.correlation_id from tasker.tasks as t where t.task_uuid = m.task_uuid offset 0
   ) as t
   order by m.lane desc, m.visible_at, m.task_uuid, m.step_no;
end;
$$;

comment on function tasker.publish_steps is
$$Marks ready steps of a lane (high, normal, low) of a namespace with the transport "broker" as published, and returns them, the longest waiting first. The caller sends a message for each step to its broker. Only tasker.claim_delivered_steps claims these steps. The function returns no row if the namespace is paused or has another transport, and skips steps of paused handlers. Steps that name a limit are not published: claims take them from the limit's line.

p_depth is the number of messages that the broker has in the lane's queue. A step is overdue if it was published at least p_again_seconds ago and is not claimed. If there are more overdue steps than messages, overdue steps are returned again, so that the caller replaces lost messages. After ten times p_again_seconds a step is returned again whatever the depth. If p_depth is null, overdue steps are not searched for.

Locks the namespace for share, then queue rows, and skips locked queue rows. Raises TK404 for an unknown namespace, TK422 for another argument out of range, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.publish_steps to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/claim/claim_step.sql
create or replace function tasker.claim_step(
  p_step_uuid      uuid,
  p_worker_uuid    uuid,
  p_lease_seconds  integer  default null
)
  returns setof tasker.claimed_steps
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
  v_now      timestamptz;
  v_until    timestamptz;
  v_settings tasker.settings_now;
  v_taken    tasker.step_queue[];
  v_moves    tasker.step_moves[];
begin
  perform tasker.check_claim(p_worker_uuid, 1, p_lease_seconds);
  perform tasker.check_worker(p_worker_uuid);

  -- A claim locks steps before it reads their tasks, while retention locks the tables starting with tasks. Lock the
  -- tables in that order here too, without reading a row, so that the two cannot deadlock.
  perform from tasker.tasks as t where false;
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  select c.* into v_settings from tasker.settings_now as c;

  -- The worker of this step may be lost. Check only the queue row of this step.
  perform tasker.recover_lost_steps(array_agg(q), 100, p_worker_uuid)
     from tasker.step_queue as q
    where q.task_uuid = tasker.task_uuid_of(p_step_uuid)
      and q.step_no = tasker.step_no_of(p_step_uuid)
      and q.lane = 'running'
      and q.visible_at <= tasker.write_clock()
   having count(*) > 0;

  v_now := tasker.write_clock();
  v_until := v_now + make_interval(secs => coalesce(p_lease_seconds, v_settings.lease_seconds));
  with taken as (
    update tasker.step_queue as q
       set visible_at = v_until,
           lane       = 'running',
           claim_no   = tasker.next_claim_no(q.claim_no)
      from (
        select
          from tasker.step_queue as k
         where k.task_uuid = tasker.task_uuid_of(p_step_uuid)
           and k.step_no = tasker.step_no_of(p_step_uuid)
           and k.lane in ('high', 'normal', 'low', 'published_high', 'published_normal', 'published_low')
           -- A step that was published to a broker can be claimed at any time: its visible_at is only the time of the
           -- next message.
           and k.visible_at <= case when k.lane in ('high', 'normal', 'low') then v_now else 'infinity' end
           and exists (
             select
               from tasker.task_namespaces as n
              where n.name = k.namespace
                and n.paused_at is null
             offset 0
           )
           and not tasker.is_paused(k.namespace, k.named_step_uuid, v_settings)
           for update of k skip locked
      ) as k
     where q.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and q.step_no = tasker.step_no_of(p_step_uuid)
    returning q.*
  )
  select coalesce(array_agg(t), '{}') into v_taken from taken as t;

  if cardinality(v_taken) = 0 and v_settings.limited_handlers is distinct from '{}' then
    v_taken := tasker.take_gated(null, null, p_step_uuid, 1, v_until, p_worker_uuid, v_settings);
  end if;

  v_moves := tasker.start_steps(v_taken, p_worker_uuid, v_until);
  perform tasker.note_lease_clock();
  perform tasker.note_worker(p_worker_uuid, null, null, v_moves, 1, null);
  if cardinality(v_moves) > 0 then
    return next tasker.describe_claim(v_moves[1], v_settings);
  end if;
end;
$$;

comment on function tasker.claim_step is
$$Hands one known step to a worker, if the step is ready, as claim_steps does. Call it after tasker.pgmq_read_specific_message, or for a message of another broker. tasker.claim_delivered_steps claims several steps, and returns the reason for each step that it does not hand out. Returns no row if the step is not in the queue, another worker has it, its namespace or its handler is paused, or its limit has no place for it.

Locks the queue row and the step, without waiting. Locks the worker's row last. Raises TK404 if there is no such step, TK422 for an argument out of range, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK409 above READ COMMITTED.$$;

grant execute on function tasker.claim_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/take_delivered_rows.sql
create or replace function tasker.take_delivered_rows(
  p_step_uuids  uuid[],
  p_now         timestamptz,
  p_until       timestamptz,
  p_settings    tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_taken tasker.step_queue[];
begin
  with locked as materialized (
    select k.task_uuid, k.step_no
      from unnest(p_step_uuids) as u (step_uuid)
     cross join lateral (
       select k.task_uuid, k.step_no
         from tasker.step_queue as k
         join tasker.task_namespaces as n
           on n.name = k.namespace
        where k.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and k.step_no = tasker.step_no_of(u.step_uuid)
          and n.paused_at is null
          and not tasker.is_paused(k.namespace, k.named_step_uuid, p_settings)
          and (
            k.lane in ('high', 'normal', 'low') and k.visible_at <= p_now
            or k.lane in ('published_high', 'published_normal', 'published_low')
          )
          for update of k skip locked
     ) as k
  ),
  taken as (
    update tasker.step_queue as q
       set visible_at = p_until,
           lane       = 'running',
           claim_no   = tasker.next_claim_no(q.claim_no)
      from locked as k
     where q.task_uuid = any (array[k.task_uuid])
       and q.step_no = k.step_no
    returning q
  )
  select coalesce(array_agg(t.q), '{}') into v_taken from taken as t;
  return v_taken;
end;
$$;

comment on function tasker.take_delivered_rows is
$$Takes the queue rows of these steps that may start now, published or not, if neither their namespace nor their handler is paused: locks the rows, hides them until p_until and assigns their next claim numbers. Skips rows that other transactions hold.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/refused_deliveries.sql
create or replace function tasker.refused_deliveries(p_step_uuids uuid[], p_moves tasker.step_moves[])
  returns setof tasker.step_exchanges
  language plpgsql
as $$
begin
  return query
  select
    u.step_uuid, 0,
    case
      when q.lane is null or q.lane in ('running', 'results') then 'gone'::tasker.result_answer
      when q.lane = 'paused' or n.paused_at is not null or exists (
        select
          from tasker.handler_pauses as p
         where p.namespace = q.namespace
           and p.named_step_uuid = q.named_step_uuid
      ) then 'paused'
      when q.lane = 'limited' then 'limited'
      else 'busy'
    end,
    null::timestamptz, null::uuid, null::integer, null, null, null, null, null, null::integer, null::integer,
    null::integer, null::integer, null::timestamptz, null::integer, null::uuid, null::uuid, null::jsonb, null::jsonb,
    null::jsonb, null, null::jsonb, null::jsonb, null::jsonb
    from unnest(p_step_uuids) as u (step_uuid)
    left join lateral (
      select q.lane, q.namespace, q.named_step_uuid
        from tasker.step_queue as q
       where q.task_uuid = tasker.task_uuid_of(u.step_uuid)
         and q.step_no = tasker.step_no_of(u.step_uuid)
      offset 0
    ) as q
      on true
    left join lateral (
      select n.paused_at
        from tasker.task_namespaces as n
       where n.name = q.namespace
      offset 0
    ) as n
      on true
   where not exists (
     select
       from unnest(p_moves) as m
      where m.task_uuid = tasker.task_uuid_of(u.step_uuid)
        and m.step_no = tasker.step_no_of(u.step_uuid)
   );
end;
$$;

comment on function tasker.refused_deliveries is
$$Returns an answer for each of these steps that the claim has not started. The answer tells the caller how to handle the step's message. The function is volatile because it must see the commits of other transactions since the claim began.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/claim_delivered_steps.sql
create or replace function tasker.claim_delivered_steps(
  p_step_uuids     uuid[],
  p_worker_uuid    uuid,
  p_lease_seconds  integer  default null
)
  returns setof tasker.step_exchanges
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
  v_now      timestamptz;
  v_until    timestamptz;
  v_settings tasker.settings_now;
  v_steps    uuid[];
  v_step     uuid;
  v_taken    tasker.step_queue[];
  v_moves    tasker.step_moves[];
  v_word     text; -- an assignment, unlike PERFORM, starts no executor
begin
  perform tasker.check_claim(p_worker_uuid, 1, p_lease_seconds);
  perform tasker.check_array_size('steps', coalesce(cardinality(p_step_uuids), 0), 1000);
  perform tasker.check_worker(p_worker_uuid);

  -- A claim locks steps before it reads their tasks, while retention locks the tables starting with tasks. Lock the
  -- tables in that order here too, without reading a row, so that the two cannot deadlock.
  perform from tasker.tasks as t where false;
  perform tasker.check_bound_steps(p_step_uuids);
  select c.* into v_settings from tasker.settings_now as c;
  v_steps := array(select distinct u.step_uuid from unnest(p_step_uuids) as u (step_uuid) where u.step_uuid is not null order by 1);

  -- The workers of these steps may be lost. Check only the queue rows of these steps.
  perform tasker.recover_lost_steps(array_agg(k.q), 100, p_worker_uuid)
     from unnest(v_steps) as u (step_uuid)
    cross join lateral (
      select q
        from tasker.step_queue as q
       where q.task_uuid = tasker.task_uuid_of(u.step_uuid)
         and q.step_no = tasker.step_no_of(u.step_uuid)
         and q.lane = 'running'
         and q.visible_at <= tasker.write_clock()
      offset 0
    ) as k
   having count(*) > 0;

  v_now := tasker.write_clock();
  v_until := v_now + make_interval(secs => coalesce(p_lease_seconds, v_settings.lease_seconds));
  v_taken := tasker.take_delivered_rows(v_steps, v_now, v_until, v_settings);
  if cardinality(v_taken) < cardinality(v_steps) and v_settings.limited_handlers is distinct from '{}' then
    foreach v_step in array v_steps loop
      v_taken := v_taken || tasker.take_gated(null, null, v_step, 1, v_until, p_worker_uuid, v_settings);
    end loop;
  end if;

  v_moves := tasker.start_steps(v_taken, p_worker_uuid, v_until);
  v_word := tasker.note_lease_clock();
  v_word := tasker.note_worker(p_worker_uuid, null, null, v_moves, greatest(cardinality(v_moves), 1), null);

  return query
  select a.* from tasker.refused_deliveries(v_steps, v_moves) as a;
  if cardinality(v_moves) > 0 then
    return query
    select
      c.step_uuid, c.claim_no, null::tasker.result_answer, null::timestamptz,
      c.task_uuid, c.step_no, c.namespace, c.task_name, c.task_version, c.name, c.handler,
      c.attempt, c.max_attempts, c.lost_count, c.priority, c.lease_until, c.timeout_seconds,
      c.correlation_id, c.parent_correlation_id, c.headers, c.inputs, c.checkpoint, c.last_error, c.context, c.parent_results,
      c.kept
    from tasker.describe_claims(v_moves, v_settings) as c;
  end if;
end;
$$;

comment on function tasker.claim_delivered_steps is
$$Claims the steps named in messages of a broker, whether these steps are published or not. For each step that it does not claim, it returns a row with claim_no 0 and an answer. The answer "gone" means that the step has a worker, has ended or does not exist: acknowledge its message. After any other answer, return the message to the broker, so that the broker delivers it again later: "paused" (the step's namespace or handler is paused), "limited" (the step's limit has no free place), "busy" (another transaction holds the step, or the step is not due yet). After the call, also acknowledge the message of a claimed step: if its worker is lost, the step becomes ready again when the lease ends.

A step that is named twice counts once. Locks queue rows and steps, without waiting. Locks the worker's row last. Raises TK413 for more than 1000 steps, TK422 for an argument out of range, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK409 above READ COMMITTED.$$;

grant execute on function tasker.claim_delivered_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/check_ahead.sql
create or replace function tasker.check_ahead(p_limit integer, p_ahead integer, p_waiting uuid[])
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (p_ahead between 0 and p_limit) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('%s steps cannot be claimed ahead', coalesce(p_ahead::text, 'null')),
      detail  = format('The limit of the claim is %s.', p_limit),
      hint    = 'Claim between 0 and p_limit steps ahead.';
  end if;
  if array_ndims(p_waiting) > 1 or array_position(p_waiting, null) is not null then
    raise exception using
      errcode = 'TK422',
      message = 'the waiting steps contain null or are not a one-dimensional array',
      hint    = 'Pass the UUIDs of claimed steps that no handler has begun.';
  end if;
  if cardinality(p_waiting) > 1000 then
    raise exception using
      errcode = 'TK413',
      message = format('%s waiting steps are too many for one call', cardinality(p_waiting)),
      hint    = 'Name at most 1000.';
  end if;
end;
$$;

comment on function tasker.check_ahead is
$$Raises TK422 if p_ahead is not between 0 and the limit of the claim or the waiting steps contain null, TK413 for more than 1000 waiting steps.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/note_waiting.sql
create or replace function tasker.note_waiting(p_worker_uuid uuid, p_waiting uuid[])
  returns void
  language plpgsql
as $$
begin
  perform tasker.check_worker(p_worker_uuid);
  update tasker.workers as w
     set request_begun = null,
         waiting_steps = p_waiting
   where w.worker_uuid = p_worker_uuid;
end;
$$;

comment on function tasker.note_waiting is
$$Records which claimed steps of a worker still wait for a handler, if the worker's call claims nothing, because a claim records it. Locks the worker's row. Raises TK403 if the worker belongs to another role.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/exchange_steps.sql
create or replace function tasker.exchange_steps(
  p_worker_uuid         uuid,
  p_step_uuids          uuid[]     default null,
  p_claim_nos           integer[]  default null,
  p_results             jsonb[]    default null,
  p_errors              text[]     default null,
  p_permanent           boolean[]  default null,
  p_backoff_seconds     double precision[]  default null,
  p_execution_times_ms  bigint[]   default null,
  p_namespaces          text[]     default null,
  p_limit               integer    default 0,
  p_lease_seconds       integer    default null,
  p_handlers            text[]     default null,
  p_request_uuid        uuid       default null,
  p_ahead               integer    default 0,
  p_waiting             uuid[]     default null
)
  returns setof tasker.step_exchanges
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
  v_settings tasker.settings_now;
  v_results  tasker.step_results[];
  v_answer   tasker.step_answers;
  v_moves    tasker.step_moves[];
  v_step     tasker.claimed_steps;
  v_row      tasker.step_exchanges;
  v_opens    boolean := false; -- whether the results may open something that the claim takes
  v_ok       text;             -- an assignment, unlike PERFORM, starts no executor
begin
  p_limit := coalesce(p_limit, 0);
  p_ahead := coalesce(p_ahead, 0);
  if (p_worker_uuid is not null and p_limit between 0 and 1000 and coalesce(p_lease_seconds, 1) between 1 and 86400
      and current_setting('transaction_isolation') = 'read committed' and not pg_is_in_recovery()) is not true then
    perform tasker.check_claim(p_worker_uuid, p_limit, p_lease_seconds);
  end if;
  if (p_ahead between 0 and p_limit and p_waiting is null) is not true then
    perform tasker.check_ahead(p_limit, p_ahead, p_waiting);
  end if;
  v_results := tasker.step_results(
    p_step_uuids, p_claim_nos, p_results, p_errors, p_permanent, p_backoff_seconds, p_execution_times_ms
  );
  select c.* into v_settings from tasker.settings_now as c;

  if cardinality(v_results) > 0 then
    if v_settings.any_bound or tasker.is_scoped() then
      perform tasker.check_bound_steps(p_step_uuids);
    end if;
    if p_limit > 0 and v_settings.limited_handlers is distinct from '{}' then
      v_opens := tasker.claim_opens(p_handlers, v_settings);
    end if;
    foreach v_answer in array tasker.record(v_results, v_settings) loop
      v_row.step_uuid := v_answer.step_uuid;
      v_row.claim_no := v_answer.claim_no;
      v_row.answer := v_answer.answer;
      v_row.next_retry_at := v_answer.next_retry_at;
      return next v_row;
    end loop;
  end if;

  if p_limit > 0 then
    v_moves := tasker.claim(p_namespaces, p_worker_uuid, p_limit, p_lease_seconds, p_handlers, p_request_uuid, p_ahead, p_waiting, v_settings);
    if cardinality(v_moves) = 1 then
      v_step := tasker.describe_claim(v_moves[1], v_settings);
      return next (
        v_step.step_uuid, v_step.claim_no, null, null,
        v_step.task_uuid, v_step.step_no, v_step.namespace, v_step.task_name, v_step.task_version, v_step.name, v_step.handler,
        v_step.attempt, v_step.max_attempts, v_step.lost_count, v_step.priority, v_step.lease_until, v_step.timeout_seconds,
        v_step.correlation_id, v_step.parent_correlation_id, v_step.headers, v_step.inputs, v_step.checkpoint, v_step.last_error, v_step.context, v_step.parent_results,
        v_step.kept
      )::tasker.step_exchanges;
    elsif cardinality(v_moves) > 1 then
      return query
      select
        c.step_uuid, c.claim_no, null::tasker.result_answer, null::timestamptz,
        c.task_uuid, c.step_no, c.namespace, c.task_name, c.task_version, c.name, c.handler,
        c.attempt, c.max_attempts, c.lost_count, c.priority, c.lease_until, c.timeout_seconds,
        c.correlation_id, c.parent_correlation_id, c.headers, c.inputs, c.checkpoint, c.last_error, c.context, c.parent_results,
        c.kept
      from tasker.describe_claims(v_moves, v_settings) as c;
    end if;
    if v_opens then
      v_ok := tasker.claim_closes();
    end if;
  elsif p_waiting is not null then
    perform tasker.note_waiting(p_worker_uuid, p_waiting);
  end if;
end;
$$;

comment on function tasker.exchange_steps is
$$Records results and claims new steps in one round trip and one transaction: it does the work of complete_steps for results without an error, of fail_steps for results with an error, then of claim_steps for at most p_limit steps. The last p_ahead of the p_limit steps are claimed ahead: the worker has no free handler for them yet. p_waiting names the steps of the worker's earlier claims that still wait for a handler. In a call without a claim, null keeps the steps that the worker named before. Returns a row with the answer to each result, in order, then a row without an answer for each claimed step.

If the worker is lost, the lost_count of a step does not rise if the step waited for a handler at the worker's newest exchange and its lease was not renewed since then. This applies at most three times in a row. Arguments, locks and errors are the same as for these three functions. Also raises TK422 if p_ahead is not between 0 and p_limit or p_waiting contains null, TK413 if p_waiting names more than 1000 steps. If a reply is lost, repeat the call with the same p_request_uuid: it answers the results again, changes nothing, and hands out the same steps.$$;

grant execute on function tasker.exchange_steps to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/maintain/warm_session.sql
create or replace function tasker.warm_session()
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
  v_namespace text := coalesce((tasker.bound_namespaces())[1], 'w' || left(md5(random()::text), 20));
  v_handlers  text[] := '{warm_up_first,warm_up_last}';
  v_worker    uuid := gen_random_uuid();
  v_steps     uuid[];
  v_claims    integer[];
begin
  -- PostgreSQL plans a statement when it first runs, and keeps the plan after a rollback.
  begin
    perform tasker.register_task_template(jsonb_build_object(
      'namespace', v_namespace, 'name', 'warm_up', 'version', '0.0.' || floor(random() * 1000000000)::bigint,
      'identity_strategy', 'always_unique',
      'steps', '[{"name": "warm_up_first"}, {"name": "warm_up_last", "dependencies": ["warm_up_first"]}]'::jsonb
    ));
    perform tasker.create_task(v_namespace, 'warm_up');
    perform tasker.create_tasks(v_namespace, 'warm_up', '{"{}","{}"}'::jsonb[]);
    -- A call with several claims and results runs other statements than a call with one.
    for v_batch in reverse 3 .. 1 loop
      select array_agg(x.step_uuid), array_agg(x.claim_no)
        into v_steps, v_claims
        from tasker.exchange_steps(
          v_worker, v_steps, v_claims, array_fill('{}'::jsonb, array[coalesce(cardinality(v_steps), 0)]),
          p_namespaces => array[v_namespace], p_limit => v_batch, p_handlers => v_handlers, p_request_uuid => gen_random_uuid()
        ) as x
       where x.answer is null;
    end loop;
    raise exception using
      errcode = 'TK409',
      message = 'warmed up',
      hint    = 'This is not an error: it rolls the warm-up back.';
  exception when others then
    return sqlstate = 'TK409' and sqlerrm = 'warmed up';
  end;
end;
$$;

comment on function tasker.warm_session is
$$Plans the statements of this session's calls that create tasks, claim steps and record results, so that the first call
costs no more than later calls. To do so, the function makes such calls for a template of its own and rolls them back.
Returns false if a call failed.

Call this function in its own transaction on a new connection. Locks no row that another session needs.$$;

grant execute on function tasker.warm_session
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/claim/extend_leases.sql
create or replace function tasker.extend_leases(
  p_step_uuids     uuid[],
  p_claim_nos      integer[],
  p_lease_seconds  integer  default null
)
  returns setof tasker.step_leases
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
  v_until     timestamptz := tasker.clock() + make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds')));
  v_steps     uuid[];
  v_claim_nos integer[];
begin
  perform tasker.check_claim(coalesce(p_step_uuids[1], gen_random_uuid()), 1, p_lease_seconds);
  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_bound_steps(p_step_uuids);

  -- This function begins with the queue, the end of the lock order, so it must not wait for a lock.
  select array_agg(u.step_uuid), array_agg(u.claim_no)
    into v_steps, v_claim_nos
    from unnest(p_step_uuids, p_claim_nos) as u (step_uuid, claim_no)
   cross join lateral (
     select
       from tasker.step_queue as q
      where q.task_uuid = tasker.task_uuid_of(u.step_uuid)
        and q.step_no = tasker.step_no_of(u.step_uuid)
        for update skip locked
   ) as q;
  select array_agg(u.step_uuid), array_agg(u.claim_no)
    into v_steps, v_claim_nos
    from unnest(v_steps, v_claim_nos) as u (step_uuid, claim_no)
   cross join lateral (
     select
       from tasker.workflow_steps as s
      where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
        and s.step_no = tasker.step_no_of(u.step_uuid)
        for no key update skip locked
   ) as s;

  return query
  with extended as (
    update tasker.workflow_steps as s
       set lease_until   = v_until,
           lease_seconds = coalesce(p_lease_seconds, s.lease_seconds)
      from (
        select tasker.task_uuid_of(u.step_uuid) as task_uuid, tasker.step_no_of(u.step_uuid) as step_no, u.claim_no
          from unnest(v_steps, v_claim_nos) as u (step_uuid, claim_no)
      ) as u
     where s.task_uuid = any (array[u.task_uuid])
       and s.step_no = u.step_no
       and s.claim_no = u.claim_no
       -- While the task is being undone, a running step keeps only the rest of its lease, unless the undo waits for it (-1).
       and s.state = 'in_progress' and (s.undo_level < 0) is not false
    returning s.task_uuid, s.step_no, s.workflow_step_uuid
  ),
  hidden as (
    update tasker.step_queue as q
       set visible_at = v_until
      from extended as x
     where q.task_uuid = any (array[x.task_uuid])
       and q.step_no = x.step_no
  )
  select
    u.step_uuid,
    u.claim_no,
    case
      when s.state is null then 'not_found'::tasker.lease_answer
      when e.extended then 'extended'
      when s.state = 'cancelled' or s.state = 'in_progress' and s.claim_no = u.claim_no and (s.undo_level < 0) is false then 'cancelled'
      when s.state = 'in_progress' and s.claim_no = u.claim_no then 'busy'
      else 'stale'
    end,
    case when e.extended then v_until end
  from unnest(p_step_uuids, p_claim_nos) with ordinality as u (step_uuid, claim_no, position)
  left join lateral (
    select s.state, s.claim_no, s.undo_level
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
       and s.step_no = tasker.step_no_of(u.step_uuid)
    offset 0
  ) as s on true
  -- The subplan is hashed. A join would compare each row with each other row, because hash and merge joins are off.
 cross join lateral (
   select u.step_uuid in (select x.workflow_step_uuid from extended as x) as extended
   offset 0
 ) as e
  order by u.position;
end;
$$;

comment on function tasker.extend_leases is
$$Renews the leases of running steps for p_lease_seconds from now. A null p_lease_seconds means the setting lease_seconds. Returns one answer for each step, in order: "extended", "stale" (stop working on the step, because its result would be refused), "cancelled", "not_found" or "busy" (another transaction holds the step). For a step whose task is being undone the answer is also "cancelled", and the lease is not renewed, unless the template says on_undo: drain. A result that arrives before the end of the lease counts.

Locks queue rows and steps, without waiting. Raises TK422 if the arrays do not match or the lease is out of range, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.extend_leases
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/claim/checkpoint_step.sql
create or replace function tasker.checkpoint_step(
  p_step_uuid      uuid,
  p_claim_no       integer,
  p_checkpoint     jsonb,
  p_lease_seconds  integer  default null
)
  returns tasker.lease_answer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_until timestamptz;
  v_bytes bigint := octet_length(p_checkpoint::text);
  v_step  tasker.workflow_steps;
begin
  perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
  perform tasker.check_claim(p_step_uuid, 1, p_lease_seconds);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  if v_bytes > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('a checkpoint of %s bytes is too large', v_bytes),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large state elsewhere and save a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth('checkpoint', p_checkpoint);

  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  if v_step.state = 'cancelled' then
    return 'cancelled';
  end if;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    return 'stale';
  elsif (v_step.undo_level < 0) is false then
    -- The step's task is being undone. The step has only the rest of its lease.
    return 'cancelled';
  end if;

  if v_step.effects & 8192 <> 0 then
    perform tasker.admit_value(p_step_uuid, 'checkpoint', p_checkpoint, null);
  end if;
  v_until := tasker.write_clock() + make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds')));
  update tasker.workflow_steps as s
     set checkpoint    = p_checkpoint,
         lease_until   = v_until,
         lease_seconds = coalesce(p_lease_seconds, s.lease_seconds)
   where s.task_uuid = v_step.task_uuid
     and s.step_no = v_step.step_no;
  update tasker.step_queue as q
     set visible_at = v_until
   where q.task_uuid = v_step.task_uuid
     and q.step_no = v_step.step_no;
  return 'saved';
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.checkpoint_step is
$$Saves a checkpoint, the progress of a running step, and renews the lease. The claim of the next attempt returns the checkpoint. The answer is "saved", "stale" or "cancelled". While the task is being undone, the answer is also "cancelled".

A claim number that is not the step's current one changes nothing. Locks the step, then its queue row. Raises TK404 if there is no such step, TK413 if the checkpoint is over the setting "result_bytes", TK422 for an argument that is null or out of range, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.checkpoint_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/claim/release_steps.sql
create or replace function tasker.release_steps(p_step_uuids uuid[], p_claim_nos integer[])
  returns setof tasker.step_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '2s'
as $$
declare
  v_held  boolean[];
  v_moves tasker.step_moves[];
begin
  perform tasker.check_isolation();
  perform tasker.check_step_claims(p_step_uuids, p_claim_nos);
  perform tasker.check_bound_steps(p_step_uuids);

  -- The call holds no lock of a task, so it must not wait for a step.
  v_held := tasker.lock_steps(
    array(select tasker.task_uuid_of(u.step_uuid) from unnest(p_step_uuids) with ordinality as u (step_uuid, position) order by u.position),
    array(select tasker.step_no_of(u.step_uuid) from unnest(p_step_uuids) with ordinality as u (step_uuid, position) order by u.position)
  );
  -- The steps return to their old places in the queue, because they have already waited.
  v_moves := tasker.requeue_steps(array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => 'in_progress', p_event => 'Release',
      p_to_state => 'enqueued', p_held_claim_no => u.claim_no,
      p_visible_at => least(s.last_attempted_at, tasker.write_clock())
    )
      from unnest(p_step_uuids, p_claim_nos, v_held) as u (step_uuid, claim_no, held)
     cross join lateral (
       select s.task_uuid, s.step_no, s.state, s.claim_no, s.last_attempted_at, s.undo_level
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and s.step_no = tasker.step_no_of(u.step_uuid)
       offset 0
     ) as s
     where u.held
       and s.state = 'in_progress'
       and s.claim_no = u.claim_no
       and s.undo_level is null
     order by u.step_uuid
  ));
  if cardinality(v_moves) < cardinality(p_step_uuids) then
    v_moves := v_moves || tasker.end_leases(p_step_uuids, p_claim_nos, v_held);
  end if;

  return query
  select
    u.step_uuid,
    u.claim_no,
    case
      when s.state is null then 'not_found'::tasker.result_answer
      when exists (select from unnest(v_moves) as m where tasker.step_uuid(m.task_uuid, m.step_no) = u.step_uuid) then 'released'
      when s.state = 'cancelled' then 'cancelled'
      when s.state = 'in_progress' and s.claim_no = u.claim_no then 'busy'
      else 'stale'
    end,
    null::timestamptz
  from unnest(p_step_uuids, p_claim_nos) with ordinality as u (step_uuid, claim_no, position)
  left join lateral (
    select s.state, s.claim_no
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(u.step_uuid)
       and s.step_no = tasker.step_no_of(u.step_uuid)
    offset 0
  ) as s
    on true
  order by u.position;
end;
$$;

comment on function tasker.release_steps is
$$Returns claimed steps that were not started to their place in the queue, for example at a worker's shutdown. The attempt does not count. Returns one answer for each step, in order: "released", "stale", "cancelled", "not_found" or "busy". The answer "busy" means that another transaction holds the step: send the release again.

A step whose task is being undone is not tried again, and its lease ends. A claim number that is not the step's current one releases nothing. Locks the steps, without waiting, then their queue rows. Raises TK422 if the arrays do not match, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.release_steps
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/rows/kernel/create/task_starts.sql
create or replace view tasker.task_starts as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  false::boolean as created,
  null::uuid as step_uuid,
  null::integer as claim_no,
  null::integer as step_no,
  null::text as namespace,
  null::text as task_name,
  null::text as task_version,
  null::text as name,
  null::text as handler,
  null::integer as attempt,
  null::integer as max_attempts,
  null::integer as lost_count,
  null::integer as priority,
  null::timestamptz as lease_until,
  null::integer as timeout_seconds,
  null::uuid as correlation_id,
  null::uuid as parent_correlation_id,
  null::jsonb as headers,
  null::jsonb as inputs,
  null::jsonb as checkpoint,
  null::text as last_error,
  null::jsonb as context,
  null::jsonb as parent_results
where false;

comment on view tasker.task_starts is
  'Row type: a task that was created and started by its worker. Each claimed step has a row, as in tasker.claimed_steps. If no step was claimed, there is one row whose step columns are null.';
comment on column tasker.task_starts.created is
  'False if an earlier request created the task. Then no step of the task is claimed.';
-- <<<

-- >>> db/schema/functions/kernel/create/private/check_own_transaction.sql
create or replace function tasker.check_own_transaction()
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise exception using
      errcode = 'TK409',
      message = 'starting a task needs its own transaction',
      detail  = 'This transaction has already written; until it commits, the steps would run without their task.',
      hint    = 'In a transaction with your own writes use tasker.create_task(); a worker claims its steps after the commit.';
  end if;
end;
$$;

comment on function tasker.check_own_transaction is
$$Raises TK409 if the transaction has already written. It cannot distinguish a transaction that has only read from a new transaction.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/start_task.sql
create or replace function tasker.start_task(
  p_namespace              text,
  p_name                   text,
  p_worker_uuid            uuid,
  p_context                jsonb        default '{}',
  p_handlers               text[]       default null,
  p_limit                  integer      default 100,
  p_lease_seconds          integer      default null,
  p_version                text         default null,
  p_identity_key           text         default null,
  p_task_uuid              uuid         default null,
  p_priority               integer      default null,
  p_tags                   text[]       default null,
  p_initiator              text         default null,
  p_source_system          text         default null,
  p_reason                 text         default null,
  p_correlation_id         uuid         default null,
  p_parent_correlation_id  uuid         default null,
  p_headers                jsonb        default null,
  p_start_at               timestamptz  default null,
  p_deferred               boolean      default null,
  p_deadline               timestamptz  default null,
  p_identity_ttl           interval     default null,
  p_identity_scope         text         default null,
  p_throttle_limit         integer      default null,
  p_throttle_seconds       integer      default null,
  p_throttle_key           text         default null
)
  returns setof tasker.task_starts
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
  v_creation tasker.task_creations;
  v_ok       text;
begin
  p_context := coalesce(p_context, '{}');
  p_limit   := coalesce(p_limit, 100);
  v_ok := tasker.check_claim(p_worker_uuid, p_limit, p_lease_seconds);
  v_ok := tasker.check_worker(p_worker_uuid);
  v_ok := tasker.check_own_transaction();
  -- The columns of tasker.task_requests, in their order. They are one expression, which is prepared once.
  v_creation := tasker.make_task(row(
    p_namespace, p_name, array[p_context], p_version,
    case when p_identity_key is not null then array[p_identity_key] end,
    case when p_task_uuid is not null then array[p_task_uuid] end,
    p_priority, p_tags, p_initiator, p_source_system, p_reason, p_correlation_id, p_parent_correlation_id,
    p_headers, p_start_at, p_deferred, p_deadline, p_identity_ttl, p_identity_scope, null, null,
    p_throttle_limit, p_throttle_seconds, p_throttle_key,
    p_worker_uuid, p_handlers, p_limit, p_lease_seconds, null, null, null, null, null
  )::tasker.task_requests);

  -- The first steps have no parents, no checkpoint and no earlier attempt. The caller has passed the context itself.
  return query
  select
    s.task_uuid, true, s.workflow_step_uuid, s.claim_no, s.step_no, p_namespace, p_name, k.version, s.name, h.name,
    s.attempts, s.max_attempts, s.lost_count, s.priority, s.lease_until, s.timeout_seconds, t.correlation_id,
    t.parent_correlation_id, t.headers, s.inputs, null::jsonb, null::text, t.context, '{}'::jsonb
  from tasker.workflow_steps as s
  join tasker.tasks as t
    on t.task_uuid = s.task_uuid
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.named_steps as h
    on h.named_step_uuid = s.named_step_uuid
  where s.task_uuid = v_creation.task_uuid
    and s.state = 'in_progress'
    and v_creation.created
  order by s.priority desc, s.step_no;

  if not found then
    return query
    select
      v_creation.task_uuid, v_creation.created, null::uuid, null::integer, null::integer, null, null, null,
      null, null, null::integer, null::integer, null::integer, null::integer, null::timestamptz, null::integer,
      null::uuid, null::uuid, null::jsonb, null::jsonb, null::jsonb, null, null::jsonb, null::jsonb;
    return;
  end if;

  -- Write the worker's row last, and at most every ten seconds: otherwise concurrent starts of one worker would wait
  -- for its row. These claims do not count in claimed_count.
  if not exists (
    select
      from tasker.workers as w
     where w.worker_uuid = p_worker_uuid
       and w.last_seen_at >= tasker.clock() - interval '10 seconds'
  ) then
    insert into tasker.workers (worker_uuid, name, role, may_serve)
    values (p_worker_uuid, p_worker_uuid::text, tasker.set_role(), tasker.bound_namespaces())
    on conflict (worker_uuid) do update
       set last_seen_at = excluded.last_seen_at;
  end if;
  v_ok := tasker.note_lease_clock();
end;
$$;

comment on function tasker.start_task is
$$Creates a task as tasker.create_task does, and hands the task's first steps to this worker in the same call, as tasker.claim_steps does. It hands out at most p_limit steps that depend on no other step and whose handler is in p_handlers (null: all), under a lease. Returns a row for each claimed step, or one row without a step.

From then on the ordinary rules apply: other workers claim the remaining steps, and take over this worker's steps when their leases end. If the namespace is paused, or the task starts later or is deferred to an orchestrator, the task is created but its steps are not claimed. Steps of a paused handler are not claimed either. Steps that the database runs are claimed only by a worker that names their handlers. A repeat of an earlier request creates and claims nothing. A task that is started at once cannot be debounced. Call this function in its own transaction, because a handler must not begin before its task is committed. The function refuses a transaction that has already written, but cannot detect a transaction that has only read.

Locks the identity. Locks the worker's row last, if the worker has not been seen for ten seconds. Raises the errors of tasker.create_task, TK422 for a limit or lease out of range, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK409 in a transaction that has written or above READ COMMITTED.$$;

grant execute on function tasker.start_task to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/claim/get_parent_results.sql
create or replace function tasker.get_parent_results(
  p_step_uuid      uuid,
  p_after_step_no  integer  default 0,
  p_limit          integer  default 100
)
  returns setof tasker.parent_results
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.check_bound_steps(array[p_step_uuid]);

  return query
  with parents as materialized (
    select p.step_no, p.name, p.results, p.expansion is not null and p.results is null as maps
      from tasker.workflow_step_edges as e
     cross join lateral (
       select p.step_no, p.name, p.results, p.state, p.expansion
         from tasker.workflow_steps as p
        where p.task_uuid = e.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     where e.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and e.to_step_no = tasker.step_no_of(p_step_uuid)
       and p.state in ('complete', 'resolved_manually')
  ),
  pages as (
    -- A compensation has no parents. It gets the result of the step that it undoes.
    select u.step_no, u.name, u.results, null::text as map
      from tasker.workflow_steps as s
     cross join lateral (
       select u.step_no, u.name, u.results
         from tasker.workflow_steps as u
        where u.task_uuid = s.task_uuid
          and u.step_no = s.undo_no
          and u.step_no > coalesce(p_after_step_no, 0)
          and u.state = 'complete'
       offset 0
     ) as u
     where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and s.step_no = tasker.step_no_of(p_step_uuid)
    union all
    select p.step_no, p.name, case when p.maps then '[]' else p.results end, null
      from parents as p
     where p.step_no > coalesce(p_after_step_no, 0)
       and (
         not p.maps
         or tasker.composed_result(tasker.task_uuid_of(p_step_uuid), p.step_no, 2) is not null
       )
    union all
    -- An instance that has settled without a result keeps its place in the list of its map.
    select i.step_no, i.name, i.results, p.name
      from parents as p
     cross join lateral (
       select i.step_no, i.name, i.results
         from tasker.added_step_edges as e
        cross join lateral (
          select i.step_no, i.name, i.results, i.map_no
            from tasker.workflow_steps as i
           where i.task_uuid = e.task_uuid
             and i.step_no = e.from_step_no
          offset 0
        ) as i
        where e.task_uuid = tasker.task_uuid_of(p_step_uuid)
          and e.to_step_no = p.step_no
          and e.from_step_no > coalesce(p_after_step_no, 0)
          and i.map_no = p.step_no
        order by e.from_step_no
        limit p_limit
     ) as i
     where p.maps
  )
  select p.step_no, p.name, p.results, p.map
    from pages as p
   order by p.step_no
   limit p_limit;
end;
$$;

comment on function tasker.get_parent_results is
$$Returns the results of a step's parents that have succeeded, in the order of their numbers, in pages: the last number of one page is p_after_step_no of the next. Handlers call this function for results that a claim omitted because they are large. For a parent that is a map, returns a row for each element instead, in the order of the elements: the column "name" has the name of the instance, the column "map" the name of the parent. The result is null for an element without a result. For a compensation, returns one row, for the step that it undoes, if that step has a result.

Raises TK404 if there is no such step, TK422 for a limit out of range, TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.get_parent_results
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/claim/get_ancestor_result.sql
create or replace function tasker.get_ancestor_result(p_step_uuid uuid, p_name text)
  returns setof tasker.parent_results
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.check_bound_steps(array[p_step_uuid]);

  return query
  select
    s.step_no,
    s.name,
    coalesce(
      s.results,
      case when s.expansion is not null
        then tasker.composed_result(s.task_uuid, s.step_no, tasker.setting_integer('result_bytes'))
      end
    ),
    null::text
  from tasker.workflow_steps as s
  where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
    and s.name = p_name
    and s.state in ('complete', 'resolved_manually')
    and (tasker.step_ancestors(p_step_uuid))[s.step_no] > 0;
end;
$$;

comment on function tasker.get_ancestor_result is
$$Returns the result of the step p_name of the same task if that step has succeeded and p_step_uuid depends on it, directly or indirectly. Otherwise returns no row. A claim returns only the results of the step's parents. Handlers call this function for the results of the parents' own ancestors.

The cost is linear in the number of edges above the step. Raises TK404 if there is no such step, TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.get_ancestor_result
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/workers/unserved_steps.sql
create or replace view tasker.unserved_steps as
select
  ''::text as namespace,
  ''::text as handler,
  null::text as nearest,
  '-infinity'::timestamptz as ready_since,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid
where false;

comment on view tasker.unserved_steps is
  'Row type: a handler that no running worker has, although steps for it are ready in a namespace.';
comment on column tasker.unserved_steps.nearest is
  'The handler of a running worker whose name is most similar. Null if no name is similar.';
comment on column tasker.unserved_steps.step_uuid is
  'The step that has been ready longest. It has been ready since ready_since.';
-- <<<

-- >>> db/schema/functions/operate/workers/list_unserved_steps.sql
create or replace function tasker.list_unserved_steps(p_namespaces text[] default null)
  returns setof tasker.unserved_steps
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  -- Read only the oldest row of each handler and lane, and not the queue behind this row.
  return query
  with ready as (
    select distinct on (g.namespace, k.name)
      g.namespace,
      k.name as handler,
      least(g.visible_at, tasker.clock()) as ready_since,
      tasker.step_uuid(g.task_uuid, g.step_no) as step_uuid
    from tasker.queue_groups(tasker.claimable_namespaces(p_namespaces)) as g
    cross join lateral (
      select k.name
        from tasker.named_steps as k
       where k.named_step_uuid = g.named_step_uuid
      offset 0
    ) as k
    where (
        g.lane in ('high', 'normal', 'low', 'limited') and g.visible_at <= tasker.clock()
        or g.lane in ('published_high', 'published_normal', 'published_low')
      )
      and not exists (
        select
          from tasker.handler_pauses as p
         where p.namespace = g.namespace
           and p.named_step_uuid = g.named_step_uuid
        offset 0
      )
    order by g.namespace, k.name, g.visible_at
  ),
  live as (
    select w.namespaces, w.handlers
      from tasker.workers as w
     where w.last_seen_at > tasker.clock() - interval '1 minute'
  )
  select
    r.namespace,
    r.handler,
    tasker.nearest_name(r.handler, s.handlers),
    r.ready_since,
    r.step_uuid
  from ready as r
  cross join lateral (
    select
      -- A worker without a list of handlers may have any handler.
      coalesce(bool_or(w.handlers is null or r.handler = any (w.handlers)), false) as served,
      array(
        select distinct h.name
          from live as l
         cross join lateral unnest(l.handlers) as h (name)
         where l.namespaces = '{}'
            or r.namespace = any (l.namespaces)
         order by h.name
         limit 1000
      ) as handlers
    from live as w
    where w.namespaces = '{}'
       or r.namespace = any (w.namespaces)
  ) as s
  where not s.served
  order by r.ready_since, r.namespace, r.handler;
end;
$$;

comment on function tasker.list_unserved_steps is
$$Returns the handlers for which steps are ready in these namespaces (null: all namespaces), but which no worker that
was seen within the last minute has. The handler whose steps have waited longest comes first. Each row also has the most
similar name of a handler that a worker has. A worker that registered without handlers counts as having all handlers.
Skips paused namespaces and handlers.

The cost is one probe of the queue's index for each handler, and does not depend on the number of waiting steps. Raises
TK404 for an unknown namespace, and TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.list_unserved_steps
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/claim/register_worker.sql
create or replace function tasker.register_worker(
  p_worker_uuid  uuid,
  p_name         text,
  p_namespaces   text[]  default null,
  p_handlers     text[]  default null,
  p_version      text    default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_inserted boolean;
  v_idle     integer := 0;
begin
  if p_worker_uuid is null or length(p_name) not between 1 and 200 or p_name is null then
    raise exception using
      errcode = 'TK422',
      message = 'a worker needs a UUID, and a name of 1 to 200 characters',
      hint    = 'Use a new UUID for each process, and a name that people recognise, such as host and process.';
  end if;
  perform tasker.check_given_name('name of a worker', p_name, 200);
  perform tasker.check_given_name('version of a worker', p_version, 100);
  if cardinality(p_handlers) > 10000 or exists (select from unnest(p_handlers) as h (name) where h.name is null or length(h.name) > 250) then
    raise exception using
      errcode = 'TK422',
      message = 'the handlers of a worker are at most 10000 names of at most 250 characters',
      hint    = 'Null means that the worker may have any handler.';
  end if;
  perform tasker.check_bound_namespaces(p_namespaces);
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);

  perform tasker.check_worker(p_worker_uuid, true);
  -- Histories name the workers that have claimed a step. Delete other workers that were not seen for a day.
  delete from tasker.workers as w
   where w.worker_uuid = any (array(
     select i.worker_uuid
       from tasker.workers as i
      where i.claimed_count = 0
        and i.last_seen_at < tasker.clock() - interval '1 day'
      limit 100
        for update skip locked
   ));
  if not exists (select from tasker.workers as w where w.worker_uuid = p_worker_uuid) then
    select count(*)
      into v_idle
      from tasker.workers as w
     where w.login = session_user
       and w.claimed_count = 0;
  end if;
  if v_idle >= 10000 then
    raise exception using
      errcode = 'TK413',
      message = format('%s workers of role "%s" are entered that have claimed nothing', v_idle, session_user),
      hint    = 'A process registers once, under one UUID. What has claimed nothing is forgotten a day after it was last seen.';
  end if;

  insert into tasker.workers as w (worker_uuid, name, role, may_serve, namespaces, handlers, version)
  values (p_worker_uuid, p_name, tasker.set_role(), tasker.bound_namespaces(), coalesce(p_namespaces, '{}'), p_handlers, nullif(p_version, ''))
  on conflict (worker_uuid) do update
     set name         = excluded.name,
         namespaces   = excluded.namespaces,
         handlers     = excluded.handlers,
         version      = excluded.version,
         last_seen_at = tasker.clock()
  returning w.xmax = 0 into v_inserted;
  return v_inserted;
end;
$$;

comment on function tasker.register_worker is
$$Registers a worker process under a name that people recognise, with the namespaces that it serves (null: all), its handlers (null: any) and the version of its program. tasker.list_unserved_steps reads the handlers, and tasker.list_incident_shares compares deployments by the version. Returns true if the worker is new. Updates a known worker and returns false. The worker belongs to the role that registered it. Only that role may claim under the worker's UUID. Operators whose namespaces include the worker's namespaces may rename it.

A worker can claim without this call: its first claim of a step registers it, with its UUID as name. Locks the worker's row. Raises TK422 without a UUID or a name of 1 to 200 characters, TK413 for a version of more than 100 characters, TK422 for more than 10,000 handlers or a handler of more than 250 characters, TK404 for an unknown namespace, TK403 if the role is bound to other namespaces or the worker belongs to another role, TK413 if 10,000 workers of the role have claimed no step.$$;

grant execute on function tasker.register_worker
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/claim/heartbeat_worker.sql
create or replace function tasker.heartbeat_worker(p_worker_uuid uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_worker(p_worker_uuid, true);
  update tasker.workers as w
     set last_seen_at = tasker.clock()
   where w.worker_uuid = p_worker_uuid;
  return found;
end;
$$;

comment on function tasker.heartbeat_worker is
$$Records a worker's heartbeat. Returns false for an unknown worker, which should then be registered again. A claim also records a heartbeat. Locks the worker's row. Raises TK403 if the worker belongs to another role.$$;

grant execute on function tasker.heartbeat_worker to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/workers/list_workers.sql
create or replace function tasker.list_workers(p_seen_within interval default null)
  returns setof tasker.worker_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_period('time since a worker was seen', p_seen_within);
  return query
  select
    w.worker_uuid,
    w.name::text,
    case when v_bound is null then w.namespaces else tasker.narrowed(w.namespaces, v_bound) end,
    w.registered_at,
    w.last_seen_at,
    w.claimed_count,
    w.login,
    w.role,
    w.version::text
  from tasker.workers as w
  where (p_seen_within is null or w.last_seen_at > tasker.clock() - p_seen_within)
    and (v_bound is null or coalesce(tasker.worker_namespaces(w) && v_bound, true))
  order by w.last_seen_at desc;
end;
$$;

comment on function tasker.list_workers is
$$Returns worker processes, the most recently seen worker first. With p_seen_within, returns only workers that were seen
within this time. A bound caller sees the workers that may serve one of its namespaces. Among the namespaces that such a
worker names, the caller sees only its own.$$;

grant execute on function tasker.list_workers to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/process_taken_results.sql
create or replace function tasker.process_taken_results(p_taken tasker.step_queue[], p_settings tasker.settings_now, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  -- lock_tasks skips tasks that other transactions hold. The queue rows of these tasks are visible again in a second.
  v_moves tasker.step_moves[] := tasker.deferred_moves(
    p_taken, tasker.lock_tasks(array(select q.task_uuid from unnest(p_taken) as q)), p_settings
  );
begin
  if cardinality(v_moves) = 0 then
    return 0;
  end if;
  return cardinality(tasker.apply_moves(
    v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), p_processor
  ));
end;
$$;

comment on function tasker.process_taken_results is
$$Processes the recorded results of queue rows that the caller has taken, and returns how many it processed. Skips results
of tasks that other transactions hold.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/process_one_by_one.sql
create or replace function tasker.process_one_by_one(p_taken tasker.step_queue[], p_settings tasker.settings_now, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_row   tasker.step_queue;
  v_count integer := 0;
begin
  -- PostgreSQL caches at most 64 subtransactions of a session, so process at most 60 rows. All other rows stay due.
  foreach v_row in array p_taken[:60] loop
    begin
      if tasker.hide_queue_row(v_row, v_now, v_now + interval '1 second') then
        v_count := v_count + tasker.process_taken_results(array[v_row], p_settings, p_processor);
      end if;
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      perform tasker.hide_queue_row(
        v_row, v_now,
        v_now + tasker.warn_of_failure(format('the result of step %s of task %s', v_row.step_no, v_row.task_uuid), sqlstate, sqlerrm)
      );
    end;
  end loop;
  return v_count;
end;
$$;

comment on function tasker.process_one_by_one is
$$Processes at most 60 recorded results, each in its own subtransaction, and returns how many it processed. The function
tasker.process_step_results calls it after an error of one result has rolled back all results. Postpones results that
fail. Locks the queue row, the task and the step of each result again, as tasker.process_step_results does.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/process_step_results.sql
create or replace function tasker.process_step_results(p_limit integer default 100, p_processor_uuid uuid default null)
  returns integer
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
  v_now      timestamptz := tasker.clock();
  v_settings tasker.settings_now;
  v_taken    tasker.step_queue[];
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);
  select c.* into v_settings from tasker.settings_now as c;
  -- The subtransaction includes the locks, for the reason that tasker.fire_timers gives.
  begin
    v_taken := tasker.take_queue_rows(
      array(
        select g
          from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n)) as g
         where g.lane = 'results'
           and g.visible_at <= v_now
      ),
      p_limit, v_now + interval '1 second', false, v_settings
    );
    perform tasker.discard_result_messages(p_limit);
    if cardinality(v_taken) = 0 then
      return 0;
    end if;
    return tasker.process_taken_results(v_taken, v_settings, p_processor_uuid);
  exception when others then
    if coalesce(cardinality(v_taken), 0) = 0 or tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  return tasker.process_one_by_one(v_taken, v_settings, p_processor_uuid);
end;
$$;

comment on function tasker.process_step_results is
$$Processes at most p_limit results that transition_step_state_atomic has recorded, and returns how many it processed. Steps with such results are in state enqueued_for_orchestration or enqueued_as_error_for_orchestration. Advances their tasks as complete_steps does. p_processor_uuid names the processor in the log.

Any number of orchestrators may call this function at once, and each call takes different results. If a result fails, each result is processed in its own subtransaction, and the failed result is tried again later. If another transaction holds a task, its results are tried again after a second. The queue rows decide which results are processed. Also deletes up to p_limit messages of orchestration_step_results, which only announced results. Locks queue rows and tasks, without waiting, then steps. Raises TK422 for a limit out of range, TK409 above READ COMMITTED.$$;

grant execute on function tasker.process_step_results to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/create_requested_task.sql
create or replace function tasker.create_requested_task(p_request jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_request jsonb;
  v_unknown text;
begin
  if jsonb_typeof(p_request) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'a task request is not a JSON object',
      detail  = format('It is of type %s.', coalesce(jsonb_typeof(p_request), 'null')),
      hint    = 'A request is an object with namespace, name and context.';
  end if;
  select k.key
    into v_unknown
    from jsonb_object_keys(p_request) as k (key)
   where k.key not in (
     'namespace', 'name', 'context', 'version', 'identity_key', 'task_uuid', 'priority', 'tags', 'initiator',
     'source_system', 'reason', 'correlation_id', 'parent_correlation_id', 'headers', 'start_at', 'deferred',
     'deadline', 'identity_ttl', 'identity_scope', 'debounce_seconds', 'debounce_longest_seconds', 'throttle_limit',
     'throttle_seconds', 'throttle_key'
   )
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('a task request has no field "%s"', left(v_unknown, 100)),
      hint    = 'Its fields are the arguments of tasker.create_task without "p_".';
  end if;

  -- Remove null fields, because a null field means the same as an absent field.
  select coalesce(jsonb_object_agg(f.key, f.value), '{}')
    into v_request
    from jsonb_each(p_request) as f
   where f.value <> 'null';

  perform tasker.create_task(
    v_request ->> 'namespace',
    v_request ->> 'name',
    coalesce(v_request -> 'context', '{}'),
    v_request ->> 'version',
    v_request ->> 'identity_key',
    (v_request ->> 'task_uuid')::uuid,
    (v_request ->> 'priority')::integer,
    case when v_request ? 'tags' then array(select jsonb_array_elements_text(v_request -> 'tags')) end,
    v_request ->> 'initiator',
    v_request ->> 'source_system',
    v_request ->> 'reason',
    (v_request ->> 'correlation_id')::uuid,
    (v_request ->> 'parent_correlation_id')::uuid,
    v_request -> 'headers',
    (v_request ->> 'start_at')::timestamptz,
    (v_request ->> 'deferred')::boolean,
    (v_request ->> 'deadline')::timestamptz,
    (v_request ->> 'identity_ttl')::interval,
    v_request ->> 'identity_scope',
    (v_request ->> 'debounce_seconds')::integer,
    (v_request ->> 'debounce_longest_seconds')::integer,
    (v_request ->> 'throttle_limit')::integer,
    (v_request ->> 'throttle_seconds')::integer,
    v_request ->> 'throttle_key'
  );
end;
$$;

comment on function tasker.create_requested_task is
$$Calls create_task with the fields of one JSON object as arguments. A null field counts as absent. Raises TK422 for an unknown field, and the errors of create_task.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/reject_task_request.sql
create or replace function tasker.reject_task_request(
  p_msg_id   bigint,
  p_request  jsonb,
  p_code     text,
  p_error    text
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not tasker.queue_exists('orchestration_task_requests_rejected') then
    perform tasker.ensure_task_queue('orchestration_task_requests_rejected');
  end if;
  perform tasker.queue_table('orchestration_task_requests_rejected');
  perform pgmq.send(
    'orchestration_task_requests_rejected',
    jsonb_build_object(
      -- A request may be nested as deep as PostgreSQL allows. Inside another object it would be nested too deep, so
      -- keep it as a text.
      'request', case when tasker.is_too_deep(p_request) then to_jsonb(p_request::text) else p_request end,
      'code', p_code, 'error', p_error, 'rejected_at', tasker.clock()
    )
  );
  perform pgmq.delete('orchestration_task_requests', p_msg_id);
end;
$$;

comment on function tasker.reject_task_request is
$$Moves an invalid request to the queue orchestration_task_requests_rejected, with the error. If the request is nested deeper than 1,000 levels, the new message has it as a text.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/process_task_requests.sql
create or replace function tasker.process_task_requests(p_limit integer default 100)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_request record;
  v_count   integer := 0;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_unbound();
  perform tasker.check_limit(p_limit, 10000);
  if not tasker.queue_exists('orchestration_task_requests') then
    return 0;
  end if;
  perform tasker.queue_table('orchestration_task_requests');

  for v_request in
    select m.msg_id, m.read_ct, m.message
      from pgmq.read('orchestration_task_requests', 30, p_limit) as m
  loop
    -- Each request has its own subtransaction, so that an invalid request does not stop the other requests.
    begin
      perform tasker.create_requested_task(v_request.message);
      perform pgmq.delete('orchestration_task_requests', v_request.msg_id);
      v_count := v_count + 1;
    exception
      when others then
        -- An error in the request itself is permanent (class 22 means a value of the wrong kind), so reject the request.
        if sqlstate like 'TK%' or sqlstate like '22%' or v_request.read_ct >= 10 then
          perform tasker.reject_task_request(v_request.msg_id, v_request.message, sqlstate, sqlerrm);
        end if;
    end;
  end loop;
  return v_count;
end;
$$;

comment on function tasker.process_task_requests is
$$Creates tasks from at most p_limit messages in the pgmq queue orchestration_task_requests, and returns how many requests it processed. A message is an object with the arguments of create_task without "p_" (namespace, name, context, version, identity_key, priority, …). A request that is delivered twice creates only one task, if the request has a task_uuid or the template's identity strategy finds the first task.

Deletes the message in the same transaction. Moves an invalid request, with the code and the text of the error, to the queue
orchestration_task_requests_rejected. After a temporary error the request is read again later, at most ten times. Takes
only messages that no other session is reading. Takes the locks of create_task for each request. Raises TK422 for a limit out
of range, TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.process_task_requests to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/limits/private/next_limited_at.sql
create or replace function tasker.next_limited_at(p_namespaces text[])
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_at timestamptz;
begin
  if (select c.limited_handlers = '{}' from tasker.settings_now as c) then
    return null;
  end if;

  select min(d.at)
    into v_at
    from tasker.limits as l
   cross join lateral (
     select h.named_step_uuid
       from tasker.limit_handlers as h
      where h.limit_no = l.limit_no
     offset 0
   ) as h
   cross join lateral (
     select case
       when exists (select from tasker.limit_notes as n where n.limit_no = l.limit_no)
         or exists (
           select
             from tasker.limit_lines as s
            where s.limit_no = l.limit_no
              and s.named_step_uuid = h.named_step_uuid
              and s.version < l.version
         )
         then tasker.clock()
       else (
         select min(s.next_at)
           from tasker.limit_lines as s
          where s.limit_no = l.limit_no
            and s.named_step_uuid = h.named_step_uuid
            and s.version = l.version
       )
     end as at
   ) as d
   where l.namespace = any (p_namespaces)
     and not exists (
       select
         from tasker.handler_pauses as p
        where p.namespace = l.namespace
          and p.named_step_uuid = h.named_step_uuid
       offset 0
     );
  return nullif(v_at, 'infinity');
end;
$$;

comment on function tasker.next_limited_at is
$$Returns the time when a claim in these namespaces should check limits next. Returns the present time if a line has room or a limit has notes. Otherwise returns the time when the next lease ends or the next rate allows a start. Returns null if no step waits.$$;
-- <<<

-- >>> db/schema/functions/doors/claims/private/gated_due_at.sql
create or replace function tasker.gated_due_at(p_namespaces text[])
  returns timestamptz
  language plpgsql
  stable
as $$
begin
  return tasker.next_limited_at(p_namespaces);
end;
$$;

comment on function tasker.gated_due_at is
$$Door: returns the next time when tasker.take_gated may find a step, or null if no time is known.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/next_due_at.sql
create or replace function tasker.next_due_at(
  p_namespaces    text[]   default null,
  p_orchestrator  boolean  default false,
  p_later         boolean  default false
)
  returns timestamptz
  language plpgsql
  stable
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
  v_now        timestamptz   := tasker.clock();
  v_bloated    boolean       := tasker.queue_is_bloated() and not p_later;
  v_namespaces text[]        := tasker.claimable_namespaces(p_namespaces);
  v_marks      timestamptz[] := '{}';
  v_timer      timestamptz;
  v_lease      timestamptz;
  v_ready      timestamptz;
begin
  if v_bloated then
    v_marks := tasker.due_marks(v_namespaces, p_orchestrator, v_now);
  end if;

  select min(m.due_at)
    into v_timer
    from tasker.timers as m
   where m.due_at >= coalesce(v_marks[2], case when p_later then v_now else '-infinity' end)
     and (m.due_at > v_now or not p_later);
  if v_marks = '{}' then
    select
      min(g.visible_at) filter (where g.lane = 'running'),
      min(g.visible_at) filter (
        where not p_orchestrator and g.lane in ('high', 'normal', 'low') and g.namespace <> all (tasker.brokered_namespaces())
          and not exists (
            select
              from tasker.handler_pauses as p
             where p.namespace = g.namespace
               and p.named_step_uuid = g.named_step_uuid
          )
      )
      into v_lease, v_ready
      from tasker.queue_groups(v_namespaces) as g;
  else
    v_lease := tasker.first_visible_at(v_namespaces, true, v_marks[3]);
    if not p_orchestrator then
      v_ready := tasker.first_visible_at(array(
        select u.name
          from unnest(v_namespaces) as u (name)
         where u.name <> all (tasker.brokered_namespaces())
      ), false, v_marks[4]);
    end if;
  end if;
  if v_bloated then
    perform tasker.keep_due_marks(v_namespaces, p_orchestrator, v_now, v_marks[1], v_timer, v_lease, v_ready);
  end if;

  if p_later then
    return least(
      v_timer,
      case when p_orchestrator then (select min(w.discovered_until) from tasker.waiting_tasks as w where w.discovered_until > v_now) end,
      case when v_lease > v_now then v_lease end,
      case when v_ready > v_now then v_ready end,
      (select x.at from tasker.gated_due_at(v_namespaces) as x (at) where x.at > v_now and not p_orchestrator)
    );
  end if;
  return least(
    v_timer,
    v_lease,
    v_ready,
    -- Every deferred start is due, so it does not matter which task has waited longest.
    case when p_orchestrator then (select w.waiting_since from tasker.waiting_tasks as w where w.discovered_until is null limit 1) end,
    case when p_orchestrator then (select min(w.discovered_until) from tasker.waiting_tasks as w where w.discovered_until is not null) end,
    case when not p_orchestrator then tasker.gated_due_at(v_namespaces) end,
    -- An orchestrator also processes recorded results of paused namespaces.
    case when p_orchestrator then (
      select min(g.visible_at)
        from tasker.queue_groups(array(
          select n.name
            from tasker.task_namespaces as n
           where p_namespaces is null
              or n.name = any (p_namespaces)
        )) as g
       where g.lane = 'results'
    ) end
  );
end;
$$;

comment on function tasker.next_due_at is
$$Returns until when an idle client may sleep unless a notification wakes it: the time when work is next due in these
namespaces, null for all namespaces. Work is a timer, a lease that ends or a task that a direct call touched. For a
worker, work is also a ready step, or a place in a limit that a step waits for. For an orchestrator (p_orchestrator),
work is also a deferred start or a recorded result. The time is now or in the past if work is already due, and null if
no work is scheduled. With p_later, timers and steps that are already due do not count, so that a caller that could not
claim them learns when other work is due.

If an old snapshot keeps many dead rows in the queue, a call in the same session within the next ten seconds begins
reading where the previous call found the first row. This call may miss a lease that is shorter than the setting, and a
row of a transaction that commits a quarter of a second after it was written. A claim finds both, and so does the first
call after the ten seconds. Raises TK404 for an unknown namespace, TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.next_due_at to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/orchestrate.sql
create or replace function tasker.orchestrate(p_limit integer default 100, p_processor_uuid uuid default null)
  returns setof tasker.orchestration_reports
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
  v_report tasker.orchestration_reports;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_unbound();
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 10000);

  v_report.requests_processed := tasker.process_task_requests(p_limit);
  v_report.timers_fired := tasker.fire_due_timers(p_limit, p_processor_uuid);
  v_report.tasks_advanced := tasker.start_deferred_tasks(p_limit, p_processor_uuid);
  v_report.steps_recovered := tasker.recover_lost_steps(
    array(
      select g
        from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n)) as g
       where g.lane = 'running'
         and g.visible_at <= tasker.clock()
    ),
    p_limit, p_processor_uuid
  );
  v_report.results_processed := tasker.process_step_results(p_limit, p_processor_uuid);
  v_report.next_due_at := tasker.next_due_at(null, true);
  return next v_report;
end;
$$;

comment on function tasker.orchestrate is
$$Does all work of an orchestrator in one call, also for pg_cron or a poller. Processes at most p_limit of each: task
requests, due timers, deferred starts, steps of lost workers, and recorded results. Returns one row with the number of
each. p_processor_uuid names the processor in the log.

Any number of sessions may call this function at once. Takes the locks of process_task_requests, fire_due_timers and
process_step_results, one after the other. Also locks queue rows and steps of lost workers, without waiting. Raises
TK422 for a limit out of range, TK409 above READ COMMITTED, TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.orchestrate to tasker_orchestrator, tasker_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001200', 'data/settings_now 9d78959875a16567
functions/compat/orchestrator/orchestrate 3752079543a5f3fa
functions/compat/orchestrator/private/create_requested_task 7d85b3c7db13ec69
functions/compat/orchestrator/private/deferred_moves 9666329a34dc3c20
functions/compat/orchestrator/private/discard_result_messages e9a642a66dd76ed2
functions/compat/orchestrator/private/find_deferred_tasks 7b1f8a7ac28ac5e4
functions/compat/orchestrator/private/process_one_by_one 60feaa834492754e
functions/compat/orchestrator/private/process_taken_results b6e55baf1c082c2a
functions/compat/orchestrator/private/put_tasks_aside 2dc379bb84d0ea55
functions/compat/orchestrator/private/reject_task_request cb707bd2929a00b0
functions/compat/orchestrator/private/release_discoveries 6def5bb00200d761
functions/compat/orchestrator/private/start_deferred_tasks 04b3350646b57c60
functions/compat/orchestrator/private/start_one_by_one 7d4a7c7993fcfe50
functions/compat/orchestrator/process_step_results 8c19e814afcb75b9
functions/compat/orchestrator/process_task_requests 3b7503deaca71ccf
functions/doors/claims/private/claim_closes 9cbf6ce9c84f320f
functions/doors/claims/private/claim_opens b2cea2806ccdf230
functions/doors/claims/private/gated_due_at 0eb7b2604a71d7da
functions/doors/claims/private/handled_here b8f41897f5fbefbe
functions/doors/claims/private/take_gated 10b295a05a258352
functions/doors/tasks/private/fails_at_end 7d545154981b2455
functions/features/branches/private/taken_failures a9f74af3c2008c2f
functions/features/broadcasts/private/fire_events 3bbf15faf2fd6fdd
functions/features/limits/private/change_line c5969f06fc3c6c37
functions/features/limits/private/fold_limit_notes 52a496972292bd52
functions/features/limits/private/insert_limit_keys c6007f58ded4e45b
functions/features/limits/private/limit_states_of 54cbfc4757e08d05
functions/features/limits/private/line_candidates 4eabbd70dffe6ad4
functions/features/limits/private/lock_limit_keys 6293819a0714eb2d
functions/features/limits/private/next_limited_at 3cabf2883dfece8d
functions/features/limits/private/noted_limit_keys e4addb893189d6fd
functions/features/limits/private/serve_limit_keys 0c2f22feab398013
functions/features/limits/private/take_limited_rows b95cf23f89457cf8
functions/features/limits/private/take_limited_step a4fe69fcc1681fa2
functions/features/limits/private/take_line_rows 03cf5201f470aab2
functions/features/limits/private/take_place_rows 09c3c4038456c9a2
functions/features/limits/private/take_places 4103501eb5a59932
functions/features/limits/private/try_limit_keys 3a75fe75cacef3e0
functions/features/limits/private/write_limit_lines af6c30947d768a6b
functions/features/publishing/private/check_publishing 334dea721ebf7ab5
functions/features/publishing/private/overdue_before 24f0e820b21943ad
functions/features/publishing/publish_steps 729cfcb51d075f17
functions/kernel/access/private/check_claim ada221c667445c47
functions/kernel/access/private/check_isolation 043be172fdfc1af4
functions/kernel/access/private/check_limit 70ee2fcd37c5fb45
functions/kernel/access/private/check_namespace_exists 562ee45e35dcdf87
functions/kernel/access/private/check_step_claims 0066de3ca990a74d
functions/kernel/access/private/check_worker 38dd0e99886c6c54
functions/kernel/access/private/claimable_namespaces e8dce670950c10af
functions/kernel/access/private/worker_namespaces c7923c693d7218e9
functions/kernel/claim/checkpoint_step edfd8b07bc46d8a2
functions/kernel/claim/claim_delivered_steps e53a00bbf6fb1e6c
functions/kernel/claim/claim_step 9db6d73a2ac4c6b7
functions/kernel/claim/claim_steps cce544781c22e44f
functions/kernel/claim/exchange_steps 286e6333bea1cf9f
functions/kernel/claim/extend_leases b573c28660f020bc
functions/kernel/claim/get_ancestor_result 2f102d4b79fa22cc
functions/kernel/claim/get_parent_results eee0bc4afed17874
functions/kernel/claim/heartbeat_worker 5efb12d597fff2c7
functions/kernel/claim/private/check_ahead 6a3f911b83170f5f
functions/kernel/claim/private/claim faf436aa43374403
functions/kernel/claim/private/claim_mark fc74718cd0698722
functions/kernel/claim/private/describe_claim 840747d56844b4a8
functions/kernel/claim/private/describe_claims 350106b53ff13c8c
functions/kernel/claim/private/fail_lost_steps b56dbf4eb0295c46
functions/kernel/claim/private/gather_parent_results 7fecfde939161566
functions/kernel/claim/private/gathered_at_once 028634fc8173d821
functions/kernel/claim/private/hide_queue_row 11b41ca32c8a8ff6
functions/kernel/claim/private/is_gated 95b85a0fb1453e3f
functions/kernel/claim/private/is_paused a2ad7967c8ad5ea7
functions/kernel/claim/private/keep_claim_mark 1421489a7ed869f2
functions/kernel/claim/private/lane_quotas b19695a5007da128
functions/kernel/claim/private/leases_heard_since 24687c89e3e2e51c
functions/kernel/claim/private/never_begun 94bad3dfdd2a8352
functions/kernel/claim/private/note_lease_clock f469801ef2c34fbe
functions/kernel/claim/private/note_waiting 3b01ca6caaf8623a
functions/kernel/claim/private/note_worker 9d04950f5686ed93
functions/kernel/claim/private/recover_lost_steps b9b6d283296df5ab
functions/kernel/claim/private/recover_one_by_one 95ee7621369404d9
functions/kernel/claim/private/recover_taken 925a12b48e468de7
functions/kernel/claim/private/refused_deliveries 6c6e0dfc5f0d27b7
functions/kernel/claim/private/repeated_claim 55ad1cc6cb504bd1
functions/kernel/claim/private/requeue_steps 1abe6fcf970d1ea5
functions/kernel/claim/private/spare_leases 21eb4251de4704cc
functions/kernel/claim/private/start_steps 0a8e32f4e94107bc
functions/kernel/claim/private/start_suspect da214af076af74d5
functions/kernel/claim/private/take_delivered_rows d4d26af6a669fecc
functions/kernel/claim/private/take_group_rows 8f653947ae20be36
functions/kernel/claim/private/take_queue_rows d3bd6a5827464031
functions/kernel/claim/private/take_steps 10157861f1be33e7
functions/kernel/claim/register_worker b823b8df20227966
functions/kernel/claim/release_steps 995fc727e079364c
functions/kernel/create/private/check_own_transaction 2b8274206cfe09e1
functions/kernel/create/start_task dcbdb7a7e9ee44a1
functions/kernel/lock/private/lock_schedules a93dc4ae7a4efbdf
functions/kernel/lock/private/lock_steps 46668f31c109a764
functions/kernel/lock/private/lock_task_facts 5f93bf7e9a4626b4
functions/kernel/lock/private/lock_tasks ab38008c594e6bce
functions/kernel/move/private/advance_tasks a64977b499c96182
functions/kernel/move/private/apply_held_move 69cc9094f1144e73
functions/kernel/move/private/apply_move 8d6d5717aaee5c38
functions/kernel/move/private/apply_moves da4d2d07f1342e96
functions/kernel/move/private/attempts_after dababf5eb1bea0f9
functions/kernel/move/private/child_moves d67b4fef612f3a82
functions/kernel/move/private/child_state 58b787d71d4bff57
functions/kernel/move/private/clear_ended_tasks 43e4840c9f0b846f
functions/kernel/move/private/count_children 8648f484b7d9ccd2
functions/kernel/move/private/count_task 6f00c4eedd582559
functions/kernel/move/private/counted 10800d86b0cbba4d
functions/kernel/move/private/direct_move f5b73e175e225af1
functions/kernel/move/private/execution_ms dec0dc6230824d65
functions/kernel/move/private/logged_worker bf24b62eca04bcea
functions/kernel/move/private/lost_after f6c7225251cb9bb2
functions/kernel/move/private/next_claim_no d57febdb5f9c6a7f
functions/kernel/move/private/ready_event f5745aefe43b1874
functions/kernel/move/private/ready_moves 0f6487967efd5629
functions/kernel/move/private/result_digest 3aed2ac8f1b5986e
functions/kernel/move/private/result_state 569ea6cdbecfe6e0
functions/kernel/move/private/retry_at 947ab632eb676b2d
functions/kernel/move/private/settle_children f1c1cafd13968f00
functions/kernel/move/private/settle_task 5c087f4d1ed5aed0
functions/kernel/move/private/sweep_moves 78f501b5ab30d68c
functions/kernel/move/private/sweep_steps bf6b8a33a07f98be
functions/kernel/move/private/task_facts 20decee6f7cf23f6
functions/kernel/move/private/task_move_metadata e62f457271363f39
functions/kernel/move/private/task_outcome 4d02ad4b2dbe1932
functions/kernel/move/private/task_stays 9c1c284cee4ad8a8
functions/kernel/move/private/was_waiting ea45427a21e5798e
functions/kernel/move/private/write_children 19990157d5f8349b
functions/kernel/move/private/write_completion 88fa767c4967e8b3
functions/kernel/move/private/write_completions 72fe6842bdcc915f
functions/kernel/move/private/write_move 6c374fd587b67bc3
functions/kernel/move/private/write_moves 00d37bc152055fd0
functions/kernel/move/private/write_ready eff2b24cc5198330
functions/kernel/move/private/write_start fcee5ed0da14838c
functions/kernel/move/private/write_starts 5fb4d958b4cc5815
functions/kernel/move/private/write_task 75508bb106b9a45e
functions/kernel/move/private/write_tasks f5814e96f14639b4
functions/kernel/notify/mark_awake f5b54ed8a4240417
functions/kernel/notify/mark_sleeping 51c2d767e780fa62
functions/kernel/notify/open_writers 7500db4299698a5e
functions/kernel/queue/private/first_visible_at 19a904324af716b2
functions/kernel/queue/private/handler_groups 8bd42e14e7f6bb87
functions/kernel/queue/private/queue_exists 4316434a380131f9
functions/kernel/queue/private/queue_groups a17f4928e15cc372
functions/kernel/result/complete_steps 74fb21a02b534918
functions/kernel/result/fail_steps d4d690e9f65f0a08
functions/kernel/result/private/answer_results 9d7331ffb00bd956
functions/kernel/result/private/check_step_results 647c86492523016f
functions/kernel/result/private/failure_metadata 49a02248f2b47195
functions/kernel/result/private/judge_payload 2a50b8c7462031fe
functions/kernel/result/private/judge_value 97ed25f31077dd08
functions/kernel/result/private/record d367aa51dd162238
functions/kernel/result/private/record_result 190cd6a2ac559c3b
functions/kernel/result/private/record_results 81005916871b0415
functions/kernel/result/private/recorded_answer fb87b2350dbb6c23
functions/kernel/result/private/refused_results 27bd0b089ecb22fc
functions/kernel/result/private/result_answer 615c341543095077
functions/kernel/result/private/result_moves 1701a26a6a9b3fb8
functions/kernel/result/private/step_results 35a0cef1859a0d38
functions/kernel/setting/private/current_settings 5c616eeae0e39436
functions/kernel/setting/private/refresh_settings_now f351565b54851724
functions/kernel/state/private/failure_policy f6efa35965d1aa4a
functions/kernel/state/private/step_is_active c67c058321e7a701
functions/kernel/state/private/step_is_open b27703b3e477d071
functions/kernel/state/private/task_is_blocked 726f298b4506d485
functions/kernel/timer/fire_due_timers 6abe44913d9c6547
functions/kernel/timer/next_due_at fb366291f632648c
functions/kernel/timer/private/advance_noted be21bafb48e12857
functions/kernel/timer/private/due_marks 3de4db1a62fcf9a0
functions/kernel/timer/private/due_marks_key 13ec0b79e8db328f
functions/kernel/timer/private/error_pause 66c1fa99e0552ace
functions/kernel/timer/private/expire_tasks a5d8f6fc801aa9ae
functions/kernel/timer/private/fire_one_by_one 0877371e425705b4
functions/kernel/timer/private/fire_retries 4d50ccf39c4bc4be
functions/kernel/timer/private/fire_set e599e9c517ac6246
functions/kernel/timer/private/fire_taken ae18213cc3c590fa
functions/kernel/timer/private/fire_timers d7f146d4c5c9f9d1
functions/kernel/timer/private/keep_due_marks a54fb9d34c566fd2
functions/kernel/timer/private/postpone_timer f0b93c25c58eb024
functions/kernel/timer/private/queue_is_bloated 86b3ba7d8ccb0a87
functions/kernel/timer/private/retry_moves 74e82938d7f29fc3
functions/kernel/timer/private/take_timer_share 253dbd43e004a769
functions/kernel/timer/private/take_timer_turns 0b8c3e1cc4567f4a
functions/kernel/timer/private/timer_mark 193e246c84e8259d
functions/kernel/timer/private/timers_are_bloated e1841a73085f244d
functions/kernel/timer/private/warn_of_failure 57aaa24fd66b3b04
functions/operate/maintain/warm_session c5ea5f878834a720
functions/operate/workers/list_unserved_steps 2c59fb826985f813
functions/operate/workers/list_workers 732fc9949e685fca
rows/compat/orchestrator/orchestration_reports 7de34f13c4ed31ef
rows/features/limits/limit_states 3a15ff3fcf9fff01
rows/features/publishing/published_steps 8f368ac55c167161
rows/kernel/claim/claimed_steps a2eb6cb1b139407e
rows/kernel/claim/parent_results 4ad61814adb2eed1
rows/kernel/claim/step_exchanges 20879c144f40be21
rows/kernel/claim/step_leases 7fee9f6fe7ea70eb
rows/kernel/create/task_starts 237648ceb41b18f8
rows/kernel/result/step_answers 3746bdd30fd69a3c
rows/operate/workers/unserved_steps 17742b1d7d62c217
rows/operate/workers/worker_details 9fbc7278607a5423
triggers/kernel/state/settings_now 613c03ca35f08277
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001200';

drop function tasker.orchestrate;
drop function tasker.next_due_at;
drop function tasker.gated_due_at;
drop function tasker.next_limited_at;
drop function tasker.process_task_requests;
drop function tasker.reject_task_request;
drop function tasker.create_requested_task;
drop function tasker.process_step_results;
drop function tasker.process_one_by_one;
drop function tasker.process_taken_results;
drop function tasker.list_workers;
drop function tasker.heartbeat_worker;
drop function tasker.register_worker;
drop function tasker.list_unserved_steps;
drop view tasker.unserved_steps;
drop function tasker.get_ancestor_result;
drop function tasker.get_parent_results;
drop function tasker.start_task;
drop function tasker.check_own_transaction;
drop view tasker.task_starts;
drop function tasker.release_steps;
drop function tasker.checkpoint_step;
drop function tasker.extend_leases;
drop function tasker.warm_session;
drop function tasker.exchange_steps;
drop function tasker.note_waiting;
drop function tasker.check_ahead;
drop function tasker.claim_delivered_steps;
drop function tasker.refused_deliveries;
drop function tasker.take_delivered_rows;
drop function tasker.claim_step;
drop function tasker.publish_steps;
drop function tasker.overdue_before;
drop function tasker.check_publishing;
drop view tasker.published_steps;
drop function tasker.claim_steps;
drop function tasker.claim;
drop function tasker.describe_claims;
drop function tasker.describe_claim;
drop function tasker.gathered_at_once;
drop function tasker.gather_parent_results;
drop function tasker.repeated_claim;
drop function tasker.note_worker;
drop function tasker.take_steps;
drop function tasker.keep_claim_mark;
drop function tasker.claim_mark;
drop function tasker.start_steps;
drop function tasker.start_suspect;
drop function tasker.take_gated;
drop function tasker.take_limited_step;
drop function tasker.take_limited_rows;
drop function tasker.serve_limit_keys;
drop function tasker.take_place_rows;
drop function tasker.take_places;
drop function tasker.change_line;
drop function tasker.try_limit_keys;
drop function tasker.line_candidates;
drop function tasker.write_limit_lines;
drop function tasker.take_line_rows;
drop function tasker.limit_states_of;
drop function tasker.fold_limit_notes;
drop function tasker.lock_limit_keys;
drop function tasker.insert_limit_keys;
drop function tasker.noted_limit_keys;
drop function tasker.claim_closes;
drop function tasker.claim_opens;
drop function tasker.is_paused;
drop function tasker.is_gated;
drop view tasker.limit_states;
drop function tasker.recover_lost_steps;
drop function tasker.recover_one_by_one;
drop function tasker.recover_taken;
drop function tasker.hide_queue_row;
drop function tasker.spare_leases;
drop function tasker.fail_lost_steps;
drop function tasker.never_begun;
drop function tasker.requeue_steps;
drop function tasker.take_queue_rows;
drop function tasker.take_group_rows;
drop function tasker.lane_quotas;
drop function tasker.handler_groups;
drop function tasker.queue_groups;
drop function tasker.fire_due_timers;
drop function tasker.first_visible_at;
drop function tasker.keep_due_marks;
drop function tasker.due_marks;
drop function tasker.due_marks_key;
drop function tasker.queue_is_bloated;
drop function tasker.fire_timers;
drop function tasker.take_timer_turns;
drop function tasker.take_timer_share;
drop function tasker.fire_one_by_one;
drop function tasker.fire_set;
drop function tasker.postpone_timer;
drop function tasker.warn_of_failure;
drop function tasker.error_pause;
drop function tasker.timer_mark;
drop function tasker.timers_are_bloated;
drop function tasker.fire_taken;
drop function tasker.fire_events;
drop function tasker.expire_tasks;
drop function tasker.fire_retries;
drop function tasker.retry_moves;
drop function tasker.fail_steps;
drop function tasker.complete_steps;
drop function tasker.judge_value;
drop function tasker.judge_payload;
drop function tasker.record;
drop function tasker.record_results;
drop function tasker.record_result;
drop function tasker.step_results;
drop function tasker.deferred_moves;
drop function tasker.result_moves;
drop function tasker.answer_results;
drop function tasker.result_answer;
drop function tasker.recorded_answer;
drop function tasker.failure_metadata;
drop function tasker.refused_results;
drop function tasker.discard_result_messages;
drop function tasker.queue_exists;
drop function tasker.start_deferred_tasks;
drop function tasker.start_one_by_one;
drop function tasker.put_tasks_aside;
drop function tasker.release_discoveries;
drop function tasker.find_deferred_tasks;
drop function tasker.advance_noted;
drop function tasker.advance_tasks;
drop function tasker.task_facts;
drop function tasker.clear_ended_tasks;
drop function tasker.sweep_steps;
drop function tasker.sweep_moves;
drop function tasker.direct_move;
drop function tasker.apply_moves;
drop function tasker.apply_move;
drop function tasker.apply_held_move;
drop function tasker.count_task;
drop function tasker.counted;
drop function tasker.count_children;
drop function tasker.write_tasks;
drop function tasker.write_task;
drop function tasker.fails_at_end;
drop function tasker.taken_failures;
drop function tasker.settle_task;
drop function tasker.write_children;
drop function tasker.ready_moves;
drop function tasker.settle_children;
drop function tasker.write_ready;
drop function tasker.child_moves;
drop function tasker.write_completion;
drop function tasker.write_completions;
drop function tasker.write_starts;
drop function tasker.write_start;
drop function tasker.write_moves;
drop function tasker.write_move;
drop function tasker.task_move_metadata;
drop function tasker.task_stays;
drop function tasker.result_digest;
drop function tasker.next_claim_no;
drop function tasker.logged_worker;
drop function tasker.lost_after;
drop function tasker.was_waiting;
drop function tasker.attempts_after;
drop function tasker.ready_event;
drop function tasker.child_state;
drop function tasker.retry_at;
drop function tasker.execution_ms;
drop function tasker.result_state;
drop function tasker.lock_task_facts;
drop function tasker.task_outcome;
drop function tasker.task_is_blocked;
drop function tasker.failure_policy;
drop function tasker.step_is_active;
drop function tasker.step_is_open;
drop function tasker.lock_steps;
drop function tasker.lock_tasks;
drop function tasker.lock_schedules;
drop function tasker.note_lease_clock;
drop function tasker.leases_heard_since;
drop function tasker.claimable_namespaces;
drop function tasker.check_step_results;
drop function tasker.check_step_claims;
drop function tasker.check_worker;
drop function tasker.worker_namespaces;
drop function tasker.check_claim;
drop function tasker.check_namespace_exists;
drop function tasker.check_limit;
drop function tasker.open_writers;
drop function tasker.mark_awake;
drop function tasker.mark_sleeping;
drop function tasker.check_isolation;
drop view tasker.orchestration_reports;
drop view tasker.worker_details;
drop view tasker.parent_results;
drop view tasker.step_exchanges;
drop view tasker.step_leases;
drop view tasker.step_answers;
drop view tasker.claimed_steps;
drop trigger partition_ranges_delete_refresh_settings_now on tasker.partition_ranges;
drop trigger partition_ranges_bounds_refresh_settings_now on tasker.partition_ranges;
drop trigger partition_ranges_refresh_settings_now on tasker.partition_ranges;
drop trigger named_steps_delete_refresh_settings_now on tasker.named_steps;
drop trigger named_steps_refresh_settings_now on tasker.named_steps;
drop trigger handler_pauses_refresh_settings_now on tasker.handler_pauses;
drop trigger limit_handlers_refresh_settings_now on tasker.limit_handlers;
drop trigger role_bindings_refresh_settings_now on tasker.role_bindings;
drop trigger task_namespaces_delete_refresh_settings_now on tasker.task_namespaces;
drop trigger task_namespaces_mode_refresh_settings_now on tasker.task_namespaces;
drop trigger task_namespaces_refresh_settings_now on tasker.task_namespaces;
drop trigger settings_refresh_now on tasker.settings;
drop function tasker.refresh_settings_now;
delete from tasker.settings_now;
drop function tasker.current_settings;
drop function tasker.handled_here;

reset role;
