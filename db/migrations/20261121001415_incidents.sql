-- incidents: what is wrong, since when, and how bad: causes of failures, rules, judgements
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/tables/operate/incidents/incident_rules.sql
create table tasker.incident_rules (
  kind          text      not null,
  rule          text      not null,
  position      smallint  not null,
  measure       text      not null,
  unit          text      not null,
  look_at       numeric,
  act_at        numeric,
  at_least      numeric,
  times_usual   numeric,
  in_a_row      smallint  not null  default 1,
  clears_after  interval  not null  default '0',
  next_step     text      not null,

  constraint incident_rules_pkey
    primary key (kind, rule),
  constraint incident_rules_position_key
    unique (position),
  constraint incident_rules_in_a_row_check
    check (in_a_row between 1 and 10)
);

comment on table tasker.incident_rules is
  'The rules for the severity of incidents: one row for each measure of a kind of incident. tasker.judge_incidents applies these rules, and all functions that show incidents use its results.';
comment on column tasker.incident_rules.measure is
  'The measured figure that the rule compares, in words.';
comment on column tasker.incident_rules.look_at is
  'The value from which a person should look today. Null if the rule has no such value.';
comment on column tasker.incident_rules.act_at is
  'The value from which a person should act now. Null if the rule has no such value.';
comment on column tasker.incident_rules.at_least is
  'The smallest number of failures, or of seconds, at which the rule compares the share.';
comment on column tasker.incident_rules.times_usual is
  'The factor by which the measure must exceed its usual value. Null if the measure has no usual value.';
comment on column tasker.incident_rules.in_a_row is
  'The number of consecutive judgements that must exceed the threshold before the incident is raised.';
comment on column tasker.incident_rules.clears_after is
  'The time for which the measure must stay below the threshold before the incident becomes less severe or ends.';
-- <<<

-- >>> db/schema/data/incident_rules.sql
-- down: delete from tasker.incident_rules;
insert into tasker.incident_rules (kind, rule, position, measure, unit, look_at, act_at, at_least, times_usual, in_a_row, clears_after, next_step)
values
  ('failing', 'minute', 1, 'share of a handler''s results that failed within a minute', 'share', null, 0.5, 20, 5, 2, '10 minutes',
   'Mend the cause, or stop the work that meets it; then retry the steps that failed.'),
  ('failing', 'five_minutes', 2, 'share of a handler''s results that failed within five minutes', 'share', 0.01, 0.25, 20, 5, 2, '10 minutes',
   'Mend the cause, or stop the work that meets it; then retry the steps that failed.'),
  ('failing', 'first', 3, 'steps that failed for good by a cause first seen within an hour', 'steps', 1, null, null, null, 1, '0',
   'Read the error of the first step; retry the steps that failed, or cancel their tasks.'),
  ('failing', 'over', 4, 'steps that still stand failed by a cause that was raised', 'steps', 1, null, null, null, 1, '0',
   'Retry the steps that failed.'),
  ('unserved', 'time', 5, 'time that a step waits for a handler that no running worker has', 'seconds', 120, 600, null, null, 1, '1 minute',
   'Start a worker that has the handler, or mend its name.'),
  ('unserved', 'steps', 6, 'steps that wait for such a handler, after two minutes', 'steps', 1, 50, null, null, 1, '1 minute',
   'Start a worker that has the handler, or mend its name.'),
  ('queue', 'oldest', 7, 'time that the first step with a running worker has been ready', 'seconds', 300, 900, null, null, 1, '5 minutes',
   'Start more workers for the namespace.'),
  ('limit', 'line', 8, 'steps that wait in the line of one key', 'steps', 100, null, null, null, 2, '5 minutes',
   'Find out why one key has so much work. Give the key bounds of its own (tasker limit set NAMESPACE/LIMIT --key KEY), or raise the limit.'),
  ('paused', 'namespace', 9, 'time that a namespace has been paused', 'seconds', 0, 86400, null, null, 1, '0',
   'Resume the namespace when the reason for the pause is gone.'),
  ('paused', 'handler', 10, 'time that a handler has been paused past its end, or without one', 'seconds', 0, 86400, null, null, 1, '0',
   'Resume the handler, or pause it until a later time.'),
  ('deadline', 'late', 11, 'tasks that a deadline ended within an hour', 'tasks', 1, 50, null, null, 1, '0',
   'Reset the tasks with more time, or find out what held them up.'),
  ('schedule', 'failures', 12, 'runs of a schedule that failed in a row', 'runs', 1, 3, null, null, 1, '0',
   'Mend the template, or set the schedule again.'),
  ('schedule', 'missed', 13, 'time that a run of a schedule is late', 'seconds', 60, 3600, null, null, 2, '0',
   'Run an orchestrator or a worker: they fire schedules.'),
  ('dead_letters', 'entries', 14, 'open investigations', 'entries', 1, null, null, null, 1, '0',
   'Investigate the entries: requeue or resolve each.'),
  ('subscription', 'failures', 15, 'deliveries of a subscription that failed in a row', 'deliveries', 3, 50, null, null, 1, '5 minutes',
   'Mend the target of the subscription.'),
  ('subscription', 'dead', 16, 'events that a subscription gave up or missed', 'events', 1, null, null, null, 1, '0',
   'List the dead events, mend the target, and replay the subscription.'),
  ('workers_gone', 'share', 17, 'share of a namespace''s workers of a quarter of an hour ago that no longer run and were not replaced', 'share', 0.5, 1, 2, null, 2, '15 minutes',
   'Find out why the workers ended, and start them again.'),
  ('slower', 'p95', 18, 'the 95th percentile of a handler''s durations within a quarter of an hour, as a multiple of its usual one', 'factor', 2, null, 1, null, 2, '15 minutes',
   'Find out what the handler waits for.'),
  ('timers', 'failing', 19, 'timers that cannot be fired', 'timers', 1, 100, null, null, 2, '1 minute',
   'Run tasker doctor: it names the error of one of them.'),
  ('orchestrator', 'waiting', 20, 'time that a task has waited for an orchestrator', 'seconds', 300, 900, null, null, 1, '1 minute',
   'Run a worker or tasker orchestrate.'),
  ('partitions', 'ahead', 21, 'time without a partition for new tasks', 'seconds', null, 0, null, null, 1, '0',
   'Call tasker.ensure_partitions(), and run an orchestrator.'),
  ('retention', 'held', 22, 'time that a range has been kept past its retention', 'seconds', 3600, 604800, null, null, 2, '0',
   'tasker partition status says what holds the range: end its tasks, or evacuate it.'),
  ('vacuum', 'snapshot', 23, 'age of the oldest transaction, which keeps dead rows', 'seconds', 3600, 21600, null, null, 2, '0',
   'End the session that holds the transaction open.'),
  ('vacuum', 'wraparound', 24, 'age of the oldest transaction number of this database', 'transactions', 1000000000, 1500000000, null, null, 1, '0',
   'Find out why autovacuum does not finish, and vacuum the database.'),
  ('connections', 'share', 25, 'share of the connections in use', 'share', 0.8, 0.95, null, null, 2, '5 minutes',
   'Use a pooler, or raise max_connections.'),
  ('duty', 'failed', 26, 'failed runs of a maintenance duty', 'runs', 1, 5, null, null, 1, '0',
   'Read the error of the duty: tasker maintain shows it.'),
  ('unjudged', 'time', 27, 'time since incidents were last judged', 'seconds', 120, 900, null, null, 1, '0',
   'Run tasker orchestrate, tasker serve or a worker in Go, or call tasker.do_duties().'),
  ('mass_action', 'stopped', 28, 'entries that a mass action which stopped by itself has not acted on', 'entries', 1, null, null, null, 1, '0',
   'Read why its entries failed; then resume the action, or stop it for good.'),
  ('disk', 'share', 29, 'size of the database as a share of the setting disk_gigabytes', 'share', 0.8, 0.95, null, null, 2, '5 minutes',
   'Shorten the retention, free space on the disk, or enlarge the disk and the setting.'),
  ('sequence', 'blocked', 30, 'failed tasks that hold up the tasks behind them in the sequence of their key', 'tasks', 1, 50, null, null, 1, '0',
   'Retry or reset the failed task, or skip it with tasker task skip-run TASK, so that the next task of its key runs.');
-- <<<

-- >>> db/schema/tables/operate/incidents/incidents.sql
create table tasker.incidents (
  incident     text         not null,
  kind         text         not null,
  rule         text         not null,
  namespace    text,
  subject      text         not null,
  what         text         not null,
  severity     smallint     not null,
  measured     smallint     not null,
  in_a_row     smallint     not null  default 0,
  since        timestamptz  not null,
  above_at     timestamptz  not null,
  judged_at    timestamptz  not null,
  ended_at     timestamptz,
  entries      bigint       not null  default 0,
  figures      jsonb        not null  default '{}',

  constraint incidents_pkey
    primary key (incident),
  constraint incidents_kind_fkey
    foreign key (kind, rule) references tasker.incident_rules (kind, rule),
  constraint incidents_severity_check
    check (severity between 0 and 3 and measured between 0 and 3)
);

create index incidents_kind_idx
  on tasker.incidents (kind, rule);

create index incidents_open_idx
  on tasker.incidents (kind, severity, since)
  where ended_at is null;

comment on index tasker.incidents_kind_idx is
  'Serves the foreign key to incident_rules.';
comment on index tasker.incidents_open_idx is
  'Serves the list of open incidents, and the judgement of the incidents of one kind, without reading ended incidents.';

comment on table tasker.incidents is
  'Incidents with the severity that tasker.judge_incidents last gave them. Ended incidents are kept for a week.';
comment on column tasker.incidents.severity is
  'The severity. 0: measured but not raised yet; 1: for information; 2: look today; 3: act now.';
comment on column tasker.incidents.measured is
  'The severity that the newest measure alone would give, without regard to earlier judgements.';
comment on column tasker.incidents.in_a_row is
  'The number of consecutive judgements that measured a higher severity than the column severity has.';
comment on column tasker.incidents.above_at is
  'The time of the newest judgement that measured at least the present severity.';
comment on column tasker.incidents.entries is
  'The number of steps, tasks, entries or workers that the incident concerns. All failed steps are counted. The count of other objects stops at 10,001.';
-- <<<

-- >>> db/schema/tables/operate/incidents/incident_watch.sql
create table tasker.incident_watch (
  only_row     boolean      not null  default true,
  read_until   timestamptz  not null  default '-infinity',
  judged_at    timestamptz  not null  default '-infinity',
  hours_until  timestamptz  not null  default '-infinity',
  swept_task   uuid,
  swept_step   integer,

  constraint incident_watch_pkey
    primary key (only_row),
  constraint incident_watch_only_row_check
    check (only_row)
);

comment on table tasker.incident_watch is
  'The progress of tasker.judge_incidents. The table has one row.';
comment on column tasker.incident_watch.read_until is
  'The time up to which failures were counted. The next call reads the two minutes before this time again, because some transactions commit late.';
comment on column tasker.incident_watch.hours_until is
  'The end of the hours that tasker.handler_hours has.';
comment on column tasker.incident_watch.swept_task is
  'The task of the last step that was checked. The next check begins after this task, or at the first step if the column is null.';
-- <<<

-- >>> db/schema/data/incident_watch.sql
-- down: delete from tasker.incident_watch;
insert into tasker.incident_watch default values;
-- <<<

-- >>> db/schema/tables/operate/incidents/error_causes.sql
create table tasker.error_causes (
  fingerprint  bigint       not null,
  namespace    text         not null,
  handler      text         not null,
  masked       text         not null,
  first_error  text         not null,
  first_step   uuid         not null,
  first_at     timestamptz  not null,
  last_at      timestamptz  not null,

  constraint error_causes_pkey
    primary key (fingerprint)
);

create index error_causes_handler_idx
  on tasker.error_causes (namespace, handler, first_at);

comment on index tasker.error_causes_handler_idx is
  'Serves the count of new causes of a handler within an hour, which is bounded.';

comment on table tasker.error_causes is
  'One row for each cause of failures: a namespace, a handler, and the text of the error without its varying parts. A cause is kept for 30 days after its last failure.';
comment on column tasker.error_causes.fingerprint is
  'tasker.error_fingerprint of namespace, handler and masked text.';
comment on column tasker.error_causes.first_error is
  'The error text of the first failure of this cause, cut to 2,000 characters.';
-- <<<

-- >>> db/schema/tables/operate/incidents/error_counts.sql
create table tasker.error_counts (
  bucket       timestamptz  not null,
  fingerprint  bigint       not null,
  failures     bigint       not null,
  quarters     integer[]    not null,

  constraint error_counts_pkey
    primary key (bucket, fingerprint),
  constraint error_counts_quarters_check
    check (cardinality(quarters) = 240)
);

comment on table tasker.error_counts is
  'The numbers of failures of a cause in an hour, for each quarter of a minute. Rows are kept for two hours, so that a cause has at most three rows.';
comment on column tasker.error_counts.quarters is
  'The number of failures in each of the 240 quarter minutes of the hour that begins at bucket.';
-- <<<

-- >>> db/schema/tables/operate/incidents/error_hours.sql
create table tasker.error_hours (
  fingerprint  bigint       not null,
  bucket       timestamptz  not null,
  failures     bigint       not null,

  constraint error_hours_pkey
    primary key (fingerprint, bucket) include (failures)
);

comment on table tasker.error_hours is
  'The number of failures of a cause in an hour. The usual number of failures is computed from these rows, which are kept for two days.';
-- <<<

-- >>> db/schema/tables/operate/incidents/handler_hours.sql
create table tasker.handler_hours (
  namespace  text         not null,
  handler    text         not null,
  bucket     timestamptz  not null,
  results    bigint       not null,
  failures   bigint       not null,

  constraint handler_hours_pkey
    primary key (namespace, handler, bucket) include (results, failures)
);

comment on table tasker.handler_hours is
  'The numbers of results and failures of a handler in an hour, from tasker.step_rollups. The usual share of failures is computed from these rows, which are kept for two days.';
-- <<<

-- >>> db/schema/tables/operate/incidents/error_steps.sql
create table tasker.error_steps (
  task_uuid        uuid         not null,
  step_no          integer      not null,
  fingerprint      bigint       not null,
  named_task_uuid  uuid         not null,
  sort_key         integer      not null,
  failed_at        timestamptz  not null,
  stands           text         not null,

  constraint error_steps_pkey
    primary key (task_uuid, step_no),
  constraint error_steps_stands_check
    check (stands in ('failed', 'retrying', 'over'))
);

create index error_steps_cause_idx
  on tasker.error_steps (fingerprint, stands, task_uuid, step_no);

comment on index tasker.error_steps_cause_idx is
  'Serves the list of the steps that failed with a cause, page by page.';

comment on table tasker.error_steps is
  'Steps whose newest result is a failure, with the cause of the failure. A row is deleted when the step has continued. The table has no foreign key to run tables, because retention drops their partitions.';
comment on column tasker.error_steps.sort_key is
  'The sort_key of the log row that recorded the failure. A failure with the same sort_key or a lower one is not counted again.';
comment on column tasker.error_steps.stands is
  'failed: the step is in error and its task is open; retrying: the step will be tried again; over: the step has continued, or its task has ended.';
-- <<<

-- >>> db/schema/tables/operate/incidents/error_stands.sql
create table tasker.error_stands (
  fingerprint      bigint  not null,
  named_task_uuid  uuid    not null,
  failed           bigint  not null,
  retrying         bigint  not null,

  constraint error_stands_pkey
    primary key (fingerprint, named_task_uuid),
  constraint error_stands_steps_check
    check (failed >= 0 and retrying >= 0)
) with (fillfactor = 50);

comment on table tasker.error_stands is
  'The number of rows of tasker.error_steps for each cause and template. Triggers maintain these numbers, so that tasker.judge_incidents need not count steps.';
-- <<<

-- >>> db/schema/functions/operate/incidents/private/count_error_steps.sql
create or replace function tasker.count_error_steps()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
begin
  if tg_op <> 'DELETE' then
    insert into tasker.error_stands as o (fingerprint, named_task_uuid, failed, retrying)
    select r.fingerprint, r.named_task_uuid, count(*) filter (where r.stands = 'failed'), count(*) filter (where r.stands = 'retrying')
      from new_rows as r
     group by r.fingerprint, r.named_task_uuid
    on conflict (fingerprint, named_task_uuid) do update
       set failed   = o.failed + excluded.failed,
           retrying = o.retrying + excluded.retrying;
  end if;
  if tg_op <> 'INSERT' then
    update tasker.error_stands as o
       set failed   = o.failed - r.failed,
           retrying = o.retrying - r.retrying
      from (
        select
          r.fingerprint, r.named_task_uuid,
          count(*) filter (where r.stands = 'failed') as failed, count(*) filter (where r.stands = 'retrying') as retrying
        from old_rows as r
        group by r.fingerprint, r.named_task_uuid
      ) as r
     where o.fingerprint = r.fingerprint
       and o.named_task_uuid = r.named_task_uuid;
  end if;
  return null;
end;
$$;

comment on function tasker.count_error_steps is
$$Trigger function: updates the counts in tasker.error_stands after a statement on tasker.error_steps. Adds the rows
that the statement wrote, and subtracts the rows that it replaced or deleted.$$;
-- <<<

-- >>> db/schema/triggers/operate/incidents/error_steps.sql
create or replace trigger error_steps_count_insert
  after insert on tasker.error_steps
  referencing new table as new_rows
  for each statement execute function tasker.count_error_steps();

create or replace trigger error_steps_count_update
  after update on tasker.error_steps
  referencing old table as old_rows new table as new_rows
  for each statement execute function tasker.count_error_steps();

create or replace trigger error_steps_count_delete
  after delete on tasker.error_steps
  referencing old table as old_rows
  for each statement execute function tasker.count_error_steps();

comment on trigger error_steps_count_insert on tasker.error_steps is
  'Maintains the counts in tasker.error_stands.';
comment on trigger error_steps_count_update on tasker.error_steps is
  'Maintains the counts in tasker.error_stands.';
comment on trigger error_steps_count_delete on tasker.error_steps is
  'Maintains the counts in tasker.error_stands.';
-- <<<

-- >>> db/schema/rows/operate/incidents/read_failures.sql
create or replace view tasker.read_failures as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  0::integer as sort_key,
  '-infinity'::timestamptz as created_at,
  ''::text as error,
  ''::text as namespace,
  ''::text as handler,
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as stands
where false;

comment on view tasker.read_failures is
  'Row type: a failure from the log, with its handler and the present state of its step.';
-- <<<

-- >>> db/schema/rows/operate/incidents/incident_measures.sql
create or replace view tasker.incident_measures as
select
  ''::text as incident,
  ''::text as kind,
  ''::text as rule,
  null::text as namespace,
  ''::text as subject,
  ''::text as what,
  0::smallint as severity,
  '-infinity'::timestamptz as since,
  0::bigint as entries,
  '{}'::jsonb as figures
where false;

comment on view tasker.incident_measures is
  'Row type: the present measurement of an incident by one rule.';
-- <<<

-- >>> db/schema/rows/operate/incidents/incident_details.sql
create or replace view tasker.incident_details as
select
  ''::text as incident,
  ''::text as severity,
  ''::text as kind,
  ''::text as rule,
  null::text as namespace,
  ''::text as subject,
  ''::text as what,
  ''::text as next_step,
  '-infinity'::timestamptz as since,
  '-infinity'::timestamptz as judged_at,
  null::timestamptz as ended_at,
  0::bigint as entries,
  ''::text as part_of,
  null::text as acknowledged_by,
  null::timestamptz as acknowledged_at,
  null::timestamptz as acknowledged_until,
  null::text as acknowledged_reason,
  '{}'::jsonb as figures,
  ''::text as runbook
where false;

comment on view tasker.incident_details is
  'Row type: an incident as lists show it.';
comment on column tasker.incident_details.severity is
  'act_now, look_today or information.';
comment on column tasker.incident_details.namespace is
  'Null if the incident concerns the whole database.';
comment on column tasker.incident_details.entries is
  'The number of steps, tasks, entries or workers that the incident concerns. An incident of the kind failing counts all steps. In incidents of other kinds, the number 10,001 means more than 10,000.';
comment on column tasker.incident_details.part_of is
  'The first incident of the same handler that began within five minutes of this incident. The incident itself if there is no such incident.';
comment on column tasker.incident_details.figures is
  'The figures that were measured for the incident. For failures they are the numbers in the last minute and in the last five minutes, the present and the usual share, and the number in each minute of the last hour.';
comment on column tasker.incident_details.runbook is
  'The address of the page with instructions for incidents of its kind: the setting runbook.';
-- <<<

-- >>> db/schema/rows/operate/incidents/incident_steps.sql
create or replace view tasker.incident_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  ''::text as step_name,
  ''::text as state,
  '-infinity'::timestamptz as failed_at,
  null::text as error
where false;

comment on view tasker.incident_steps is
  'Row type: a step whose newest failure has the given cause.';
-- <<<

-- >>> db/schema/rows/operate/incidents/readiness.sql
create or replace view tasker.readiness as
select
  null::text as refused,
  ''::text as severity,
  '{}'::text[] as kinds
where false;

comment on view tasker.readiness is
  'Row type: whether a server can do its work, and the state of the system. The words contain no data of tasks.';
comment on column tasker.readiness.refused is
  'The reason why no server can do its work: no partition for new tasks, or tasks that have waited long for an orchestrator. Null if servers can work.';
comment on column tasker.readiness.severity is
  'act_now, look_today or well, as the command tasker health prints.';
comment on column tasker.readiness.kinds is
  'The kinds of the open incidents that need a person, the most severe first.';
-- <<<

-- >>> db/schema/rows/operate/incidents/sampled_attempts.sql
create or replace view tasker.sampled_attempts as
select
  ''::text as version,
  ''::text as worker,
  null::text as tenant
where false;

comment on view tasker.sampled_attempts is
  'Row type: an attempt of a step, with its version, its worker and its tenant.';
-- <<<

-- >>> db/schema/rows/operate/incidents/incident_shares.sql
create or replace view tasker.incident_shares as
select
  ''::text as dimension,
  ''::text as value,
  0::bigint as failures,
  0::double precision as failed_share,
  0::bigint as attempts,
  0::double precision as attempted_share,
  null::timestamptz as first_at
where false;

comment on view tasker.incident_shares is
  'Row type: the number of failures of a cause that belong to a version, a worker or a tenant, and its number of attempts of the handler, for a comparison of the shares.';
comment on column tasker.incident_shares.dimension is
  'version, worker or tenant. The dimension tenant exists only if the setting tenant gives the place in a task that names its tenant.';
comment on column tasker.incident_shares.value is
  'The version that the worker''s program reports, the name of the worker, or the tenant. "unknown" if the value is missing.';
comment on column tasker.incident_shares.failures is
  'The number of steps that are failed or wait for another attempt. At most 2,000 steps are counted, those of the newest tasks.';
comment on column tasker.incident_shares.attempts is
  'The number of results of the handler in the period before the newest failure. The period is so long that all handlers together had about 2,000 results in it.';
comment on column tasker.incident_shares.first_at is
  'The time when the first worker with the version and the handler registered. Null if the version is older than a week or not known, or if the dimension is not the version.';
-- <<<

-- >>> db/schema/functions/operate/incidents/private/error_head.sql
create or replace function tasker.error_head(p_error text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_error ~ '^\s*Traceback \(most recent' then
      regexp_replace(rtrim(right(p_error, 1024)), '^.*\n(?=[A-Za-z_][\w.]*(:|$))', '')
    else
      regexp_replace(
        left(p_error, 2048),
        '(\n\s+at [^\n]*|\n\s*goroutine \d|\n\s+File "|\n\s*(DETAIL|CONTEXT|HINT|QUERY|LINE \d+|Stack|STATEMENT)[ :]|\nCaused by:|\n\s*[Ff]or (further|more) information|\n\s*\[debug).*$',
        ''
      )
  end;
end;

comment on function tasker.error_head is
$$Returns the informative part of an error. The informative part is the last line of a Python traceback, otherwise the
text before a stack or details. Reads at most 2,048 characters.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/mask_error.sql
create or replace function tasker.mask_error(p_error text)
  returns text
  language plpgsql
  immutable
  parallel safe
as $$
declare
  v_head  text := tasker.error_head(p_error);
  v_class text := substring(v_head from '\[class=([A-Za-z0-9_.:-]{1,64})\]');
  v_text  text := regexp_replace(left(v_head, 600), '\s+', ' ', 'g');
begin
  -- A worker knows the class of its failure better than a mask does.
  if v_class is not null then
    return v_class;
  end if;
  -- Replace an address by its host.
  v_text := regexp_replace(
    v_text, '(https?|amqps?|postgres(?:ql)?|redis|wss?|grpc)://(?:[^\s/@"'']*@)?([^\s/?#"'',)]+)[^\s"'',)]*', '\1://\2', 'g'
  );
  -- Keep the digits of a status code, because 503 is another cause than 429. They are marked with ~ until the end.
  v_text := regexp_replace(v_text, '''([1-5])([0-9])([0-9]) ([A-Z][A-Za-z ]*)''', '~\1~\2~\3 \4', 'g');
  v_text := regexp_replace(
    v_text,
    '\m((?:http|status|code|statuscode|returned|response|answered|error|got|exit|unexpected)(?:/[0-9.]+)?(?: ?(?:status|code))?[ :=(#"'']{1,3})([1-5])([0-9])([0-9])(?![0-9A-Za-z.]|, ?[0-9])',
    '\1~\2~\3~\4', 'gi'
  );
  v_text := regexp_replace(
    v_text, 'SQLSTATE ([0-9A-Z])([0-9A-Z])([0-9A-Z])([0-9A-Z])([0-9A-Z])', 'SQLSTATE ~\1~\2~\3~\4~\5', 'g'
  );
  -- Keep the names of columns, tables and keys, and words_like_this.
  v_text := regexp_replace(
    v_text,
    '\m(columns?|method|variable|relation|table|constraint|index|function|field|property|attribute|KeyError:|reading|setting|key|parameter|argument|module named|module|type|role|schema|queue|exchange|handler|signal|extension|operator|label|service|bucket) ["''`]([A-Za-z_][A-Za-z_.]{0,60})["''`]',
    '\1 \2', 'gi'
  );
  v_text := regexp_replace(v_text, '["''`]([a-z]+(?:_[a-z]+)+)["''`]', '\1', 'g');
  -- Mask quoted text, mail addresses, text in braces, and every word with a digit.
  v_text := regexp_replace(v_text, '"[^"]*"|`[^`'']*[`'']|“[^”]*”|«[^»]*»|「[^」]*」|(?<![A-Za-z])''[^'']*''', '#', 'g');
  v_text := regexp_replace(v_text, '[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+', '#', 'g');
  v_text := regexp_replace(v_text, '\{[^{}]*\}|\[[^][]*[0-9#][^][]*\]', '#', 'g');
  v_text := regexp_replace(v_text, '[A-Za-z0-9_.:/+%-]*(?<!~)[0-9][A-Za-z0-9_.:/+%-]*', '#', 'g');
  -- Replace pairs and lists of masks by one mask.
  v_text := regexp_replace(v_text, '\(# ?\)|\(#(?:, #)+\)', '#', 'g');
  v_text := regexp_replace(v_text, '#(?:(?:,| |;|-|=|:| and )*#)+', '#', 'g');
  v_text := regexp_replace(v_text, '~([0-9A-Z])', '\1', 'g');
  return left(btrim(v_text), 300);
end;
$$;

comment on function tasker.mask_error is
$$Returns an error without the parts that vary from failure to failure. Numbers, identifiers, addresses, quoted text and
times become "#", so that failures of one cause have one text. Reads 600 characters and returns at most 300 characters.
Keeps the status code of an answer, an SQLSTATE, the host of an address and the names of columns and tables.

If the head of the text has [class=NAME], returns NAME, because the worker has named the class of the failure.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/error_fingerprint.sql
create or replace function tasker.error_fingerprint(p_namespace text, p_handler text, p_masked text)
  returns bigint
  language sql
  immutable
  parallel safe
begin atomic
  select ('x' || encode(substr(sha256(convert_to(concat_ws(E'\n', p_namespace, p_handler, p_masked), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;
end;

comment on function tasker.error_fingerprint is
$$Returns the number of a cause, which is 8 bytes of the hash of its namespace, its handler and its masked text
(tasker.mask_error).$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/incident_severity.sql
create or replace function tasker.incident_severity(p_kind text, p_rule text, p_value double precision)
  returns smallint
  language sql
  stable
begin atomic
  select case
    when p_value >= r.act_at then 3
    when p_value >= r.look_at then 2
    else 0
  end::smallint
    from tasker.incident_rules as r
   where r.kind = p_kind
     and r.rule = p_rule;
end;

comment on function tasker.incident_severity is
$$Returns the severity that a rule of tasker.incident_rules gives to a value: 0 if the value is below both thresholds, 2
if a person should look today, 3 if a person should act now.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/read_failures.sql
create or replace function tasker.read_failures(p_since timestamptz, p_limit integer)
  returns setof tasker.read_failures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    l.task_uuid, l.step_no, l.sort_key - u.after, l.created_at,
    coalesce(l.metadata ->> 'error', 'no error text') as error,
    n.name as namespace, k.name as handler, t.named_task_uuid,
    case
      when t.complete then 'over'
      when s.state = 'error' then 'failed'
      when s.state in ('complete', 'cancelled', 'resolved_manually') then 'over'
      else 'retrying'
    end as stands
  from tasker.step_log as l
  join tasker.step_log_paths as u
    on u.path = l.path
   and u.to_state = 'enqueued_as_error_for_orchestration'
  join tasker.workflow_steps as s
    on s.task_uuid = l.task_uuid
   and s.step_no = l.step_no
  join tasker.tasks as t
    on t.task_uuid = l.task_uuid
  join tasker.named_tasks as d
    on d.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = d.task_namespace_uuid
  join tasker.named_steps as k
    on k.named_step_uuid = s.named_step_uuid
  where l.path >= 1000
    and l.created_at >= p_since
    and not exists (
      select
        from tasker.error_steps as e
       where e.task_uuid = l.task_uuid
         and e.step_no = l.step_no
         -- In a path, at most one transition follows the failure. Between two failures of a step there is more than one
         -- transition.
         and e.sort_key >= l.sort_key - 1
    )
  order by l.created_at
  limit p_limit;
end;
$$;

comment on function tasker.read_failures is
$$Returns at most p_limit failures that were recorded since p_since and that tasker.error_steps does not have yet, the
oldest first.

Reads the log's index of failures.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/note_failures.sql
create or replace function tasker.note_failures(p_limit integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_from  timestamptz;
  v_read  integer;
  v_until timestamptz;
begin
  -- Read the last two minutes a second time, because transactions may have committed late. If failures were never read
  -- before, read one hour.
  select greatest(w.read_until - interval '2 minutes', v_now - interval '1 hour') into strict v_from from tasker.incident_watch as w;

  with read as materialized (
    select r.* from tasker.read_failures(v_from, p_limit) as r
  ),
  -- Mask each distinct text only once.
  texts as materialized (
    select r.namespace, r.handler, r.error, tasker.mask_error(r.error) as masked, min(r.created_at) as first_at
      from read as r
     group by r.namespace, r.handler, r.error
  ),
  causes as materialized (
    select
      x.namespace, x.handler, x.masked,
      tasker.error_fingerprint(x.namespace, x.handler, x.masked) as fingerprint,
      min(x.first_at) as first_at
    from texts as x
    group by x.namespace, x.handler, x.masked
  ),
  -- If a handler has more than 50 new causes in an hour, further new causes count as one cause, because its texts vary
  -- in a way that no mask recognises.
  judged as materialized (
    select
      c.namespace, c.handler, c.masked,
      case when h.many then tasker.error_fingerprint(c.namespace, c.handler, 'many different errors') else c.fingerprint end as fingerprint,
      case when h.many then 'many different errors' else c.masked end as becomes
    from (
      select
        c.*,
        o.fingerprint is not null as known,
        count(*) filter (where o.fingerprint is null) over (partition by c.namespace, c.handler order by c.first_at, c.fingerprint) as new_no
      from causes as c
      left join tasker.error_causes as o
        on o.fingerprint = c.fingerprint
    ) as c
    cross join lateral (
      select
        not c.known and c.new_no + (
          select count(*)
            from tasker.error_causes as o
           where o.namespace = c.namespace
             and o.handler = c.handler
             and o.first_at > v_now - interval '1 hour'
        ) > 50 as many
    ) as h
  ),
  failures as materialized (
    select r.*, j.fingerprint, j.becomes
      from read as r
      join texts as x
        on x.namespace = r.namespace
       and x.handler = r.handler
       and x.error = r.error
      join judged as j
        on j.namespace = x.namespace
       and j.handler = x.handler
       and j.masked = x.masked
  ),
  noted as (
    insert into tasker.error_causes as o (fingerprint, namespace, handler, masked, first_error, first_step, first_at, last_at)
    select distinct on (f.fingerprint)
      f.fingerprint, f.namespace, f.handler, f.becomes, left(f.error, 2000), tasker.step_uuid(f.task_uuid, f.step_no), f.created_at,
      max(f.created_at) over (partition by f.fingerprint)
    from failures as f
    order by f.fingerprint, f.created_at, f.task_uuid, f.step_no
    on conflict (fingerprint) do update
       set last_at = greatest(o.last_at, excluded.last_at)
  ),
  counted as (
    insert into tasker.error_counts as o (bucket, fingerprint, failures, quarters)
    select h.bucket, h.fingerprint, h.failures, q.quarters
      from (
        select q.bucket, q.fingerprint, sum(q.failures) as failures, jsonb_object_agg(q.no, q.failures) as by_no
          from (
            select
              date_trunc('hour', f.created_at, 'UTC') as bucket, f.fingerprint,
              floor(extract(epoch from f.created_at - date_trunc('hour', f.created_at, 'UTC')) / 15) as no, count(*) as failures
            from failures as f
            group by 1, 2, 3
          ) as q
         group by q.bucket, q.fingerprint
      ) as h
     cross join lateral (
       select array_agg(coalesce((h.by_no ->> g.no::text)::integer, 0) order by g.no) as quarters
         from generate_series(0, 239) as g (no)
     ) as q
    on conflict (bucket, fingerprint) do update
       set failures = o.failures + excluded.failures,
           quarters = (
             select array_agg(u.before + u.added order by u.no)
               from unnest(o.quarters, excluded.quarters) with ordinality as u (before, added, no)
           )
  ),
  hours as (
    insert into tasker.error_hours as o (fingerprint, bucket, failures)
    select f.fingerprint, date_trunc('hour', f.created_at, 'UTC'), count(*)
      from failures as f
     group by 1, 2
    on conflict (fingerprint, bucket) do update
       set failures = o.failures + excluded.failures
  ),
  steps as (
    insert into tasker.error_steps as o (task_uuid, step_no, fingerprint, named_task_uuid, sort_key, failed_at, stands)
    select distinct on (f.task_uuid, f.step_no)
      f.task_uuid, f.step_no, f.fingerprint, f.named_task_uuid, f.sort_key, f.created_at, f.stands
    from failures as f
    order by f.task_uuid, f.step_no, f.sort_key desc
    on conflict (task_uuid, step_no) do update
       set fingerprint = excluded.fingerprint,
           sort_key    = excluded.sort_key,
           failed_at   = excluded.failed_at,
           stands      = excluded.stands
  )
  select count(*), max(f.created_at) into v_read, v_until from failures as f;

  update tasker.incident_watch as w
     set read_until = case when v_read < p_limit then v_now else greatest(w.read_until, v_until) end;
  return v_read;
end;
$$;

comment on function tasker.note_failures is
$$Reads at most p_limit new failures in the log. Determines the cause of each failure, counts the failures, and records
which steps are in error for which cause. Returns how many failures it read.

Finds failures through an index of the log, so a call that records a result has no extra cost. Misses the failures of a
transaction that commits later than two minutes after it recorded them.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/sweep_error_steps.sql
create or replace function tasker.sweep_error_steps(p_limit integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_from  tasker.incident_watch;
  v_read  integer;
  v_moved integer;
  v_until tasker.error_steps;
begin
  select w.* into strict v_from from tasker.incident_watch as w;

  with read as materialized (
    select e.task_uuid, e.step_no, e.failed_at, e.stands
      from tasker.error_steps as e
     where (e.task_uuid, e.step_no) > (coalesce(v_from.swept_task, '00000000-0000-0000-0000-000000000000'), coalesce(v_from.swept_step, 0))
     order by e.task_uuid, e.step_no
     limit p_limit
  ),
  now as materialized (
    select
      r.task_uuid, r.step_no, r.failed_at, r.stands as was,
      case
        when s.complete is not false then 'over'
        when s.state = 'error' then 'failed'
        when s.state in ('complete', 'cancelled', 'resolved_manually') then 'over'
        else 'retrying'
      end as stands
    from read as r
    left join lateral (
      select s.state, t.complete
        from tasker.workflow_steps as s
       cross join lateral (
         select t.complete
           from tasker.tasks as t
          where t.task_uuid = s.task_uuid
         offset 0
       ) as t
       where s.task_uuid = r.task_uuid
         and s.step_no = r.step_no
      offset 0
    ) as s
      on true
  ),
  -- Keep the row until this part of the log is not read again, so that the failure is not counted twice.
  gone as (
    delete from tasker.error_steps as e
     using now as n
     where n.stands = 'over'
       and n.failed_at < v_now - interval '5 minutes'
       and e.task_uuid = n.task_uuid
       and e.step_no = n.step_no
  ),
  changed as (
    update tasker.error_steps as e
       set stands = n.stands
      from now as n
     where n.stands <> n.was
       and (n.stands <> 'over' or n.failed_at >= v_now - interval '5 minutes')
       and e.task_uuid = n.task_uuid
       and e.step_no = n.step_no
  )
  select
    count(*), count(*) filter (where n.stands <> n.was),
    (array_agg(n.task_uuid order by n.task_uuid desc, n.step_no desc))[1], (array_agg(n.step_no order by n.task_uuid desc, n.step_no desc))[1]
    into v_read, v_moved, v_until.task_uuid, v_until.step_no
    from now as n;

  update tasker.incident_watch as w
     set swept_task = case when v_read = p_limit then v_until.task_uuid end,
         swept_step = case when v_read = p_limit then v_until.step_no end;
  return v_moved;
end;
$$;

comment on function tasker.sweep_error_steps is
$$Checks whether at most p_limit failed steps are still in error, and deletes the rows of steps that have moved. Each
call continues after the steps of the preceding call. Returns how many steps had changed.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/count_handler_hours.sql
create or replace function tasker.count_handler_hours()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_until timestamptz := date_trunc('hour', v_now - interval '5 minutes', 'UTC');
  v_from  timestamptz;
begin
  select greatest(w.hours_until, v_until - interval '25 hours') into strict v_from from tasker.incident_watch as w;
  if v_from >= v_until then
    return;
  end if;
  -- Each call counts at most one hour. So a database in which the duty did not run for a day catches up within minutes.
  v_until := least(v_until, date_trunc('hour', v_from, 'UTC') + interval '1 hour');
  insert into tasker.handler_hours as o (namespace, handler, bucket, results, failures)
  select n.name, k.name, v_from, sum(r.results), sum(r.failures)
    from tasker.step_rollups as r
    join tasker.named_tasks as d
      on d.named_task_uuid = r.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = d.task_namespace_uuid
    join tasker.named_steps as k
      on k.named_step_uuid = r.named_step_uuid
   where r.bucket >= v_from
     and r.bucket < v_until
   group by 1, 2
  on conflict (namespace, handler, bucket) do update
     set results  = excluded.results,
         failures = excluded.failures;
  update tasker.incident_watch set hours_until = v_until;
  delete from tasker.handler_hours as o where o.bucket < v_now - interval '2 days';
  -- It is enough to delete once an hour, because a judgement reads no ended incident.
  delete from tasker.error_counts as o where o.bucket < v_now - interval '2 hours';
  delete from tasker.error_hours as o where o.bucket < v_now - interval '2 days';
  delete from tasker.error_causes as o
   where o.last_at < v_now - interval '30 days'
     and not exists (select from tasker.error_steps as s where s.fingerprint = o.fingerprint);
  delete from tasker.error_stands as o where o.failed = 0 and o.retrying = 0;
  delete from tasker.incidents as i where i.ended_at < v_now - interval '7 days';
  delete from tasker.incident_acknowledgements as a
   where a.acknowledged_at < v_now - interval '30 days'
     and not exists (select from tasker.incidents as i where i.incident = a.incident);
end;
$$;

comment on function tasker.count_handler_hours is
$$Adds the results and failures of the last full hour to tasker.handler_hours. Deletes counts, causes and ended
incidents that are no longer needed.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/results_of_last_minute.sql
create or replace function tasker.results_of_last_minute()
  returns setof tasker.handler_hours
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  -- The number of results a second, according to the newest rollups.
  v_rate numeric := (select sum(r.results) / 300 from tasker.work_rollups as r where r.bucket > tasker.clock() - interval '6 minutes');
begin
  return query
  select
    n.name, k.name, date_trunc('hour', tasker.clock(), 'UTC'),
    count(*), count(*) filter (where not a.success)
  from (
    select a.task_uuid, a.step_no, a.success
      from tasker.step_result_log as a
     where a.recorded_at > tasker.clock() - make_interval(secs => least(60, 350 / greatest(v_rate, 1))::double precision)
     limit 350
  ) as a
  join tasker.workflow_steps as s
    on s.task_uuid = a.task_uuid
   and s.step_no = a.step_no
  join tasker.tasks as t
    on t.task_uuid = a.task_uuid
  join tasker.named_tasks as d
    on d.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = d.task_namespace_uuid
  join tasker.named_steps as k
    on k.named_step_uuid = s.named_step_uuid
  group by 1, 2;
end;
$$;

comment on function tasker.results_of_last_minute is
$$Returns the results and failures of each handler within the last minute. Counts them from the log, because
tasker.step_rollups can be a minute old. If the last minute has more than 350 results, counts only the newest, at most
350 of them. A sample is enough, because only the share of failures matters.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_failing.sql
create or replace function tasker.measure_failing()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_hour   timestamptz := date_trunc('hour', v_now, 'UTC');
  v_rolled timestamptz := (select r.rolled_up_until from tasker.rollup_state as r);
  v_bucket timestamptz := date_bin('15 seconds', v_now, '2000-01-01Z');
  v_minute tasker.incident_rules;
  v_five   tasker.incident_rules;
  v_first  tasker.incident_rules;
begin
  select r.* into strict v_minute from tasker.incident_rules as r where r.kind = 'failing' and r.rule = 'minute';
  select r.* into strict v_five from tasker.incident_rules as r where r.kind = 'failing' and r.rule = 'five_minutes';
  select r.* into strict v_first from tasker.incident_rules as r where r.kind = 'failing' and r.rule = 'first';
  -- Count the failures and the results of five minutes up to the newest rollup, so that both are from the same period.
  v_rolled := case when v_rolled > v_now - interval '3 minutes' then date_trunc('minute', v_rolled, 'UTC') end;

  return query
  with recent as materialized (
    select
      o.fingerprint,
      coalesce(sum(q.failures) filter (where q.bucket >= v_bucket - interval '45 seconds'), 0) as f1,
      coalesce(sum(q.failures) filter (where q.bucket >= v_rolled - interval '5 minutes' and q.bucket < v_rolled), 0) as f5,
      sum(q.failures) as fh,
      min(q.bucket) filter (where q.bucket >= v_bucket - interval '6 minutes') as since
    from tasker.error_counts as o
    cross join lateral (
      select o.bucket + (q.no - 1) * interval '15 seconds' as bucket, q.failures
        from unnest(o.quarters) with ordinality as q (failures, no)
       where q.failures > 0
    ) as q
    where o.bucket >= v_hour - interval '1 hour'
      and q.bucket > v_now - interval '1 hour'
    group by o.fingerprint
  ),
  raised as materialized (
    select substr(i.incident, 9)::bigint as fingerprint, i.severity
      from tasker.incidents as i
     where i.ended_at is null
       and i.kind = 'failing'
  ),
  causes as materialized (
    select r.fingerprint from recent as r
    union
    select i.fingerprint from raised as i
  ),
  described as materialized (
    select
      c.fingerprint, o.namespace, o.handler, o.masked, o.first_error, o.first_step, o.first_at, o.last_at as failed_last,
      coalesce(r.f1, 0) as f1, coalesce(r.f5, 0) as f5, coalesce(r.fh, 0) as fh, r.since,
      sum(coalesce(r.f1, 0)) over w as handler_f1, sum(coalesce(r.f5, 0)) over w as handler_f5,
      i.fingerprint is not null as is_open
    from causes as c
    cross join lateral (select o.* from tasker.error_causes as o where o.fingerprint = c.fingerprint offset 0) as o
    left join lateral (select r.* from recent as r where r.fingerprint = c.fingerprint offset 0) as r on true
    left join lateral (select i.fingerprint from raised as i where i.fingerprint = c.fingerprint and i.severity > 0 offset 0) as i on true
    window w as (partition by o.namespace, o.handler)
  ),
  -- Read the tail of the log only if a handler has enough failures for the rule of the last minute.
  tail as materialized (
    select t.namespace, t.handler, t.results, t.failures
      from tasker.results_of_last_minute() as t
     where (select max(d.handler_f1) from described as d) >= v_minute.at_least
  ),
  rolled as materialized (
    select n.name as namespace, k.name as handler, sum(r.results) as results
      from (
        select r.named_task_uuid, r.named_step_uuid, sum(r.results) as results
          from tasker.step_rollups as r
         where r.bucket >= v_rolled - interval '5 minutes'
           and r.bucket < v_rolled
         group by 1, 2
      ) as r
      join tasker.named_tasks as d
        on d.named_task_uuid = r.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = d.task_namespace_uuid
      join tasker.named_steps as k
        on k.named_step_uuid = r.named_step_uuid
     group by 1, 2
  ),
  handlers as materialized (
    select
      h.namespace, h.handler,
      -- The tail may be a sample, so use only its share of failures.
      greatest(h.f1, (
        select h.f1 * t.results / greatest(t.failures, 0.5)
          from tail as t
         where t.namespace = h.namespace
           and t.handler = h.handler
      )) as a1,
      case when v_rolled is not null then greatest(h.f5, (
        select r.results from rolled as r where r.namespace = h.namespace and r.handler = h.handler
      )) end as a5,
      u.results as usual_results,
      u.failures as usual_failures
    from (
      select d.namespace, d.handler, max(d.handler_f1) as f1, max(d.handler_f5) as f5
        from described as d
       group by d.namespace, d.handler
    ) as h
    cross join lateral (
      select sum(u.results) as results, sum(u.failures) as failures
        from tasker.handler_hours as u
       where u.namespace = h.namespace
         and u.handler = h.handler
         and u.bucket >= v_now - interval '25 hours'
         and u.bucket < v_now - interval '1 hour'
    ) as u
  ),
  compared as materialized (
    select
      d.*, h.a1, h.a5,
      -- The usual share of failures counts as at least 1 in 1,000.
      greatest(0.001, coalesce(h.usual_failures / nullif(h.usual_results, 0), 0)) as handler_usual,
      greatest(0.001, coalesce((
        select sum(u.failures)
          from tasker.error_hours as u
         where u.fingerprint = d.fingerprint
           and u.bucket >= v_now - interval '25 hours'
           and u.bucket < v_now - interval '1 hour'
      ) / nullif(h.usual_results, 0), 0)) as usual,
      s.failed, s.retrying
    from described as d
    cross join lateral (
      select h.* from handlers as h where h.namespace = d.namespace and h.handler = d.handler offset 0
    ) as h
    cross join lateral (
      select coalesce(sum(s.failed), 0)::bigint as failed, coalesce(sum(s.retrying), 0)::bigint as retrying
        from tasker.error_stands as s
       where s.fingerprint = d.fingerprint
    ) as s
  ),
  judged as materialized (
    select c.*, v.rule, v.severity, row_number() over (partition by c.fingerprint order by v.severity desc, v.rule) as nth
      from compared as c
     cross join lateral (values
       -- If a provider is down, failures have several causes. So the handler's failures decide, and a cause with a
       -- tenth of them is severe.
       (
         'minute', 3,
         c.handler_f1 >= v_minute.at_least and c.handler_f1 >= v_minute.act_at * c.a1
         and c.handler_f1 > v_minute.times_usual * c.handler_usual * c.a1
         and c.f1 >= 0.1 * c.handler_f1 and c.f1 > v_minute.times_usual * c.usual * c.a1
       ),
       (
         'five_minutes', 3,
         c.handler_f5 >= v_five.at_least and c.handler_f5 >= v_five.act_at * c.a5
         and c.handler_f5 > v_five.times_usual * c.handler_usual * c.a5
         and c.f5 >= 0.1 * c.handler_f5 and c.f5 > v_five.times_usual * c.usual * c.a5
       ),
       -- There are more failures than chance explains: more than the usual number plus four standard deviations plus
       -- four failures.
       ('five_minutes', 2, c.f5 >= v_five.look_at * c.a5 and c.f5 > c.usual * c.a5 + 4 * sqrt(c.usual * c.a5) + 4),
       ('first', 2, c.first_at > v_now - interval '1 hour' and c.failed >= v_first.look_at),
       ('over', 2, c.is_open and c.failed >= 1)
     ) as v (rule, severity, holds)
     where v.holds
  )
  select
    'failing:' || j.fingerprint,
    'failing',
    j.rule,
    j.namespace,
    j.handler,
    format('%s of %s fails: %s', coalesce('SQL function ' || tasker.sql_function_of(j.handler), j.handler), j.namespace, j.masked),
    j.severity::smallint,
    case when j.first_at > v_now - interval '1 hour' then j.first_at else coalesce(j.since, j.failed_last) end,
    j.failed,
    -- The callers keep only the first row of each incident.
    case when j.nth = 1 then jsonb_build_object(
      'failed', j.failed,
      'retrying', j.retrying,
      'failures_minute', j.f1,
      'failures_hour', j.fh,
      'share', round(coalesce(j.f5 / nullif(j.a5, 0), j.f1 / nullif(j.a1, 0), 0), 4),
      'usual', round(j.usual, 4),
      'last_at', j.failed_last,
      'first_step', j.first_step,
      'first_error', j.first_error,
      'minutes', (
        select jsonb_agg(coalesce(m.failures, 0) order by g.no)
          from generate_series(0, 59) as g (no)
          left join (
            select floor(extract(epoch from q.bucket - (v_bucket - interval '1 hour')) / 60)::integer as no, sum(q.failures) as failures
              from tasker.error_counts as o
             cross join lateral (
               select o.bucket + (q.no - 1) * interval '15 seconds' as bucket, q.failures
                 from unnest(o.quarters) with ordinality as q (failures, no)
                where q.failures > 0
             ) as q
             where o.bucket = any (array[v_hour - interval '1 hour', v_hour])
               and o.fingerprint = j.fingerprint
               and q.bucket >= v_bucket - interval '1 hour'
             group by 1
          ) as m
            on least(m.no, 59) = g.no
      ),
      'templates', (
        select jsonb_agg(jsonb_build_object('template', format('%s@%s', d.name, d.version), 'steps', g.n) order by g.n desc, d.name, d.version)
          from (
            select s.named_task_uuid, s.failed as n
              from tasker.error_stands as s
             where s.fingerprint = j.fingerprint
               and s.failed > 0
             order by n desc, s.named_task_uuid
             limit 3
          ) as g
          join tasker.named_tasks as d
            on d.named_task_uuid = g.named_task_uuid
      )
    ) else '{}' end
  from judged as j;
end;
$$;

comment on function tasker.measure_failing is
$$Returns the causes of more failures than usual: causes with a larger share of failures than usual within the last
minute or the last five minutes, causes that were first seen within the last hour, and causes of open incidents for
which steps are still in error.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_unserved.sql
create or replace function tasker.measure_unserved()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('unserved:%s/%s', u.namespace, u.handler),
    'unserved',
    case when n.steps_severity > n.time_severity then 'steps' else 'time' end,
    u.namespace,
    u.handler,
    format(
      case when tasker.sql_function_of(u.handler) is null then 'No running worker has handler %s of %s%s' else 'Nothing calls SQL function %s of %s%s' end,
      coalesce(tasker.sql_function_of(u.handler), u.handler), u.namespace,
      case when u.nearest is not null then format(' (did you mean %s?)', u.nearest) else '' end
    ),
    greatest(n.time_severity, n.steps_severity),
    u.ready_since,
    n.steps,
    jsonb_build_object('seconds', n.seconds, 'step', u.step_uuid, 'nearest', u.nearest)
  from tasker.list_unserved_steps() as u
  cross join lateral (
    select
      c.steps, c.seconds,
      tasker.incident_severity('unserved', 'time', c.seconds) as time_severity,
      case
        when c.seconds >= (select r.look_at from tasker.incident_rules as r where r.kind = 'unserved' and r.rule = 'time')
          then tasker.incident_severity('unserved', 'steps', c.steps)
        else 0::smallint
      end as steps_severity
    from (
      select
        round(extract(epoch from tasker.clock() - u.ready_since)) as seconds,
        (
          select count(*)
            from (
              select
                from tasker.named_steps as k
               cross join unnest('{high,normal,low,limited,published_high,published_normal,published_low}'::tasker.queue_lane[]) as l (lane)
               cross join lateral (
                 select
                   from tasker.step_queue as q
                  where q.namespace = u.namespace
                    and q.lane = l.lane
                    and q.named_step_uuid = k.named_step_uuid
                    and q.visible_at <= tasker.clock()
                 offset 0
               ) as q
               where k.name = u.handler
               limit 10001
            ) as q
        ) as steps
    ) as c
  ) as n;
end;
$$;

comment on function tasker.measure_unserved is
$$Returns the handlers for which steps are ready but which no running worker has. One rule measures how long the steps
have waited, another rule how many steps are waiting.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_queues.sql
create or replace function tasker.measure_queues()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('queue:%s/%s', g.namespace, g.lane),
    'queue',
    'oldest',
    g.namespace,
    g.lane::text,
    format('Steps of %s wait in lane %s although workers run', g.namespace, g.lane),
    tasker.incident_severity('queue', 'oldest', extract(epoch from tasker.clock() - g.oldest)),
    g.oldest,
    (
      select count(*)
        from (
          select
            from tasker.step_queue as q
           where q.namespace = g.namespace
             and q.lane = g.lane
             and q.visible_at <= tasker.clock()
           limit 10001
        ) as q
    ),
    jsonb_build_object('seconds', round(extract(epoch from tasker.clock() - g.oldest)))
  from (
    select q.namespace, q.lane, min(q.visible_at) as oldest
      from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n where n.paused_at is null)) as q
     where q.visible_at < tasker.clock()
       and q.lane not in ('limited', 'paused')
       and (q.lane in ('running', 'results') or tasker.is_served(q.namespace, q.named_step_uuid))
       and (q.lane in ('running', 'results') or not exists (
         select
           from tasker.handler_pauses as p
          where p.namespace = q.namespace
            and p.named_step_uuid = q.named_step_uuid
       ))
     group by q.namespace, q.lane
  ) as g
  where g.oldest <= tasker.clock() - make_interval(secs => (
    select r.look_at from tasker.incident_rules as r where r.kind = 'queue' and r.rule = 'oldest'
  )::double precision)
    -- If there is no worker at all, the handlers are unserved, and each unserved handler is a separate incident.
    and (g.lane in ('running', 'results') or exists (
      select from tasker.workers as w where w.last_seen_at > tasker.clock() - interval '1 minute'
    ));
end;
$$;

comment on function tasker.measure_queues is
$$Returns the lanes of namespaces in which a step has waited too long although a running worker has its handler. Leaves
out paused namespaces and handlers.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_limits.sql
create or replace function tasker.measure_limits()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('limit:%s/%s/%s', l.namespace, l.name, md5(k.limit_key)),
    'limit',
    'line',
    l.namespace,
    l.name,
    format('Limit %s of %s is full for key "%s"', l.name, l.namespace, left(k.limit_key, 100)),
    tasker.incident_severity('limit', 'line', q.steps),
    tasker.clock(),
    q.steps,
    jsonb_build_object('key', left(k.limit_key, 200), 'steps', q.steps)
  from tasker.limits as l
  cross join lateral (
    select k.limit_key
      from tasker.limit_keys as k
     where k.limit_no = l.limit_no
     order by k.limit_key
     limit 200
  ) as k
  cross join lateral (
    select count(*) as steps
      from (
        select
          from tasker.step_queue as q
         where q.limit_no = l.limit_no
           and q.limit_key = k.limit_key
           and q.lane = 'limited'
         limit 10001
      ) as q
  ) as q
  where q.steps >= (select r.look_at from tasker.incident_rules as r where r.kind = 'limit' and r.rule = 'line');
end;
$$;

comment on function tasker.measure_limits is
$$Returns the keys of limits for which many steps wait. For each limit, reads the first 200 keys that have a line, and
up to 10,001 steps of each line.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_pauses.sql
create or replace function tasker.measure_pauses()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('paused:%s', n.name),
    'paused',
    'namespace',
    n.name,
    n.name,
    format('Namespace %s is paused, by %s', n.name, n.paused_by),
    tasker.incident_severity('paused', 'namespace', greatest(extract(epoch from tasker.clock() - n.paused_at), 0)),
    n.paused_at,
    0::bigint,
    jsonb_build_object('paused_by', n.paused_by, 'seconds', round(extract(epoch from tasker.clock() - n.paused_at)))
  from tasker.task_namespaces as n
  where n.paused_at is not null
  union all
  select
    format('paused:%s/%s', p.namespace, p.handler),
    'paused',
    'handler',
    p.namespace,
    p.handler,
    case
      when p.until is null then format('%s of %s is paused without an end, by %s', tasker.handler_in_words(p.handler), p.namespace, p.paused_by)
      else format('%s of %s is paused past its end, by %s', tasker.handler_in_words(p.handler), p.namespace, p.paused_by)
    end,
    tasker.incident_severity('paused', 'handler', extract(epoch from tasker.clock() - coalesce(p.until, p.paused_at))),
    coalesce(p.until, p.paused_at),
    0::bigint,
    jsonb_build_object('paused_by', p.paused_by, 'seconds', round(extract(epoch from tasker.clock() - p.paused_at)), 'until', p.until, 'reason', p.reason)
  from tasker.handler_pauses as p
  where coalesce(p.until, p.paused_at) <= tasker.clock();
end;
$$;

comment on function tasker.measure_pauses is
$$Returns the namespaces that are paused, and the handlers whose pause is past its end or has no end.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_deadlines.sql
create or replace function tasker.measure_deadlines()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('deadline:%s', d.namespace),
    'deadline',
    'late',
    d.namespace,
    d.namespace,
    format('Deadlines ended tasks of %s', d.namespace),
    tasker.incident_severity('deadline', 'late', d.tasks),
    d.since,
    d.tasks,
    jsonb_build_object('first_task', d.first_task)
  from (
    select n.name as namespace, count(*) as tasks, min(e.created_at) as since, (array_agg(e.task_uuid order by e.created_at))[1] as first_task
      from (
        select l.task_uuid, l.path, l.created_at
          from tasker.task_log as l
         where l.path >= 1000
           and l.path / 1000 = 1 -- paths that end in error
           and l.task_uuid >= (
             lpad(to_hex((extract(epoch from tasker.clock() - interval '7 days') * 1000)::bigint), 12, '0') || repeat('0', 20)
           )::uuid
         order by l.task_uuid desc
         limit 2000
      ) as e
      join tasker.task_log_paths as u
        on u.path = e.path
       and u.after = 0
      join tasker.tasks as t
        on t.task_uuid = e.task_uuid
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where u.event = 'Timeout'
       and e.created_at > tasker.clock() - interval '1 hour'
       and t.state = 'error'
     group by n.name
  ) as d;
end;
$$;

comment on function tasker.measure_deadlines is
$$Returns the namespaces in which deadlines have failed tasks within the last hour, and the number of these tasks. Reads
the newest 2,000 tasks in the state "error" that were created within the last week.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_schedules.sql
create or replace function tasker.measure_schedules()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('schedule:%s/%s', s.namespace, s.schedule),
    'schedule',
    case when s.last_error is not null then 'failures' else 'missed' end,
    s.namespace,
    s.schedule,
    case
      when s.last_error is not null then format('Schedule %s of %s fails: %s', s.schedule, s.namespace, left(s.last_error, 300))
      else format('Schedule %s of %s is late', s.schedule, s.namespace)
    end,
    case
      when s.last_error is not null then tasker.incident_severity('schedule', 'failures', greatest(s.failures, 1))
      else tasker.incident_severity('schedule', 'missed', extract(epoch from tasker.clock() - s.due_at))
    end,
    coalesce(case when s.last_error is not null then s.last_error_at end, s.due_at, tasker.clock()),
    greatest(s.failures, 1)::bigint,
    jsonb_build_object('failures', s.failures, 'due_at', s.due_at)
  from tasker.schedules as s
  where s.paused_at is null
    and (s.last_error is not null or s.due_at < tasker.clock() - make_interval(secs => greatest(
      tasker.setting_integer('missed_tick_seconds'),
      (select r.look_at from tasker.incident_rules as r where r.kind = 'schedule' and r.rule = 'missed')
    )::double precision));
end;
$$;

comment on function tasker.measure_schedules is
$$Returns the schedules whose runs fail or are late. Leaves out paused schedules.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_dead_letters.sql
create or replace function tasker.measure_dead_letters()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('dead_letters:%s', d.namespace),
    'dead_letters',
    'entries',
    d.namespace,
    d.namespace,
    format('Dead letters of %s wait for an investigation', d.namespace),
    tasker.incident_severity('dead_letters', 'entries', d.entries),
    d.since,
    d.entries,
    '{}'::jsonb
  from (
    select n.name as namespace, count(*) as entries, min(q.dlq_timestamp) as since
      from (
        select q.task_uuid, q.dlq_timestamp
          from tasker.tasks_dlq as q
         where q.resolution_status = 'pending'
         limit 1000
      ) as q
      join tasker.tasks as t
        on t.task_uuid = q.task_uuid
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     group by n.name
  ) as d;
end;
$$;

comment on function tasker.measure_dead_letters is
$$Returns the namespaces with open investigations of dead letters.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_subscriptions.sql
create or replace function tasker.measure_subscriptions()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('subscription:%s', s.subscription),
    'subscription',
    case when f.severity >= d.severity and f.severity > 0 then 'failures' else 'dead' end,
    case when cardinality(s.namespaces) = 1 then s.namespaces[1] end,
    s.subscription,
    case
      when f.severity >= d.severity and f.severity > 0
        then format('Subscription %s is not delivered: %s', s.subscription, left(coalesce(s.last_error, 'no answer'), 300))
      else format('Subscription %s gave up or missed events', s.subscription)
    end,
    greatest(f.severity, d.severity),
    coalesce(s.last_error_at, s.updated_at),
    case when f.severity >= d.severity and f.severity > 0 then s.failures else c.events end::bigint,
    jsonb_build_object('failures', s.failures, 'dead', c.dead, 'missed', c.events - c.dead)
  from tasker.subscriptions as s
  cross join lateral (
    select
      (select count(*) from (select from tasker.dead_events as d where d.subscription = s.subscription limit 10001) as d) as dead,
      (select count(*) from (select from tasker.dead_events as d where d.subscription = s.subscription limit 10001) as d)
      + (select count(*) from (select from tasker.missed_events as m where m.subscription = s.subscription limit 1000) as m) as events
  ) as c
  cross join lateral (select tasker.incident_severity('subscription', 'failures', s.failures) as severity) as f
  cross join lateral (select tasker.incident_severity('subscription', 'dead', c.events) as severity) as d
  where greatest(f.severity, d.severity) > 0;
end;
$$;

comment on function tasker.measure_subscriptions is
$$Returns the subscriptions whose target refuses or does not answer, and the subscriptions that gave up or missed events.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_workers.sql
create or replace function tasker.measure_workers()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('workers_gone:%s', coalesce(nullif(w.namespace, ''), '*')),
    'workers_gone',
    'share',
    nullif(w.namespace, ''),
    coalesce(nullif(w.namespace, ''), 'all namespaces'),
    format('%s of %s workers of %s no longer run', w.before - w.live, w.before, coalesce(nullif(w.namespace, ''), 'all namespaces')),
    tasker.incident_severity('workers_gone', 'share', 1 - w.live::double precision / w.before),
    w.last_at,
    w.before - w.live,
    jsonb_build_object('before', w.before, 'live', w.live)
  from (
    select
      n.namespace,
      count(*) filter (where w.registered_at <= tasker.clock() - interval '15 minutes') as before,
      count(*) filter (where w.last_seen_at > tasker.clock() - interval '1 minute') as live,
      min(w.last_seen_at) as last_at
    from tasker.workers as w
    cross join lateral unnest(case when w.namespaces = '{}' then array[''] else w.namespaces end) as n (namespace)
    where w.last_seen_at > tasker.clock() - interval '15 minutes'
    group by n.namespace
  ) as w
  where w.before >= (select r.at_least from tasker.incident_rules as r where r.kind = 'workers_gone' and r.rule = 'share')
    and w.live < w.before
    and tasker.incident_severity('workers_gone', 'share', 1 - w.live::double precision / w.before) > 0;
end;
$$;

comment on function tasker.measure_workers is
$$Returns the namespaces that have lost a large share of the workers that they had a quarter of an hour ago. A namespace
that got as many new workers is left out. Workers without namespaces are counted separately, as workers of all
namespaces.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_slow.sql
create or replace function tasker.measure_slow()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  with now as materialized (
    select d.task_namespace_uuid, r.named_step_uuid, sum(r.timed) as timed, sum(r.durations) as durations, min(r.min_ms) as min_ms, max(r.max_ms) as max_ms
      from tasker.step_rollups as r
      join tasker.named_tasks as d
        on d.named_task_uuid = r.named_task_uuid
     where r.bucket > tasker.clock() - interval '16 minutes'
       and r.timed > 0
     group by 1, 2
    having sum(r.timed) >= 20
  ),
  hours as materialized (
    -- Use whole hours, because minutes are merged into hours after two days.
    select d.task_namespace_uuid, r.named_step_uuid, sum(r.timed) as timed, sum(r.durations) as durations, min(r.min_ms) as min_ms, max(r.max_ms) as max_ms
      from generate_series(1, 7) as g (day)
     cross join lateral (
       select h.*
         from tasker.step_hours as h
        where h.bucket = date_trunc('hour', tasker.clock() - make_interval(days => g.day), 'UTC')
       offset 0
     ) as r
      join tasker.named_tasks as d
        on d.named_task_uuid = r.named_task_uuid
     where exists (select from now)
       and r.timed > 0
     group by 1, 2
    having sum(r.timed) >= 20
  )
  select
    format('slower:%s/%s', n.name, k.name),
    'slower',
    'p95',
    n.name,
    k.name,
    format('%s of %s is slower than usual: %s s instead of %s s', coalesce('SQL function ' || tasker.sql_function_of(k.name), k.name), n.name, p.p95_now, p.p95_usual),
    tasker.incident_severity('slower', 'p95', p.p95_now / greatest(p.p95_usual, 0.001)),
    tasker.clock(),
    w.timed::bigint,
    jsonb_build_object('p95_seconds', p.p95_now, 'usual_p95_seconds', p.p95_usual)
  from now as w
  join hours as u
    on u.task_namespace_uuid = w.task_namespace_uuid
   and u.named_step_uuid = w.named_step_uuid
  cross join lateral (
    select
      (select p.p95 from tasker.percentiles_of(w.durations, w.min_ms, w.max_ms) as p) as p95_now,
      (select p.p95 from tasker.percentiles_of(u.durations, u.min_ms, u.max_ms) as p) as p95_usual
  ) as p
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = w.task_namespace_uuid
  join tasker.named_steps as k
    on k.named_step_uuid = w.named_step_uuid
  where p.p95_now - p.p95_usual >= (select r.at_least from tasker.incident_rules as r where r.kind = 'slower' and r.rule = 'p95')
    and tasker.incident_severity('slower', 'p95', p.p95_now / greatest(p.p95_usual, 0.001)) > 0;
end;
$$;

comment on function tasker.measure_slow is
$$Returns the handlers that are slower than usual. Compares the 95th percentile of the durations in the last quarter of
an hour with the 95th percentile of the same hour of the preceding seven days. Compares them only if both periods have
at least 20 durations.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_engine.sql
create or replace function tasker.measure_engine()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    'timers', 'timers', 'failing', null::text, 'timers',
    format('%s %s cannot be fired', t.timers, case when t.timers = 1 then 'timer' else 'timers' end),
    tasker.incident_severity('timers', 'failing', t.timers), t.since, t.timers, '{}'::jsonb
  from (select tasker.count_failing_timers(null) as timers, (select min(f.failed_at) from tasker.failed_timers as f) as since) as t
  where t.timers > 0
  union all
  select
    'orchestrator', 'orchestrator', 'waiting', null::text, 'orchestrator',
    'Tasks wait for an orchestrator',
    tasker.incident_severity('orchestrator', 'waiting', extract(epoch from tasker.clock() - w.since)), w.since, w.tasks,
    jsonb_build_object('seconds', round(extract(epoch from tasker.clock() - w.since)))
  from (
    select min(w.waiting_since) as since, count(*) as tasks
      from (
        select w.waiting_since
          from tasker.waiting_tasks as w
         order by w.task_uuid
         limit 10001
      ) as w
  ) as w
  where w.since <= tasker.clock() - make_interval(secs => (
    select r.look_at from tasker.incident_rules as r where r.kind = 'orchestrator' and r.rule = 'waiting'
  )::double precision)
  union all
  select
    format('duty:%s', d.duty), 'duty', 'failed', null::text, d.duty,
    format('Maintenance duty %s fails: %s', d.duty, left(d.last_error, 300)),
    tasker.incident_severity('duty', 'failed', 1), coalesce(d.last_finished_at, tasker.clock()), 1::bigint,
    jsonb_build_object('failures', d.failures)
  from tasker.maintenance_duties as d
  where d.last_error is not null;
end;
$$;

comment on function tasker.measure_engine is
$$Returns problems of the engine itself: timers that cannot be fired, tasks that wait for an orchestrator, and
maintenance duties that failed.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_mass.sql
create or replace function tasker.measure_mass()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('mass_action:%s', m.selection_uuid),
    'mass_action',
    'stopped',
    case when cardinality(m.namespaces) = 1 then m.namespaces[1] end,
    m.action,
    format('A mass action (%s) stopped by itself: %s', m.action, left(coalesce(m.stopped_why, m.stopped_by), 300)),
    tasker.incident_severity('mass_action', 'stopped', m.waits),
    m.stage_at,
    m.waits::bigint,
    jsonb_build_object('selection', m.selection_uuid, 'entries', m.entries, 'passed', m.passed, 'failed', m.failed, 'skipped', m.skipped)
  from (
    select m.*
      from tasker.mass_actions as m
     where m.state = 'stopped'
     order by m.selection_uuid desc
     limit 100
  ) as m
  -- An operator who stops an action needs no incident.
  where m.stopped_by in ('canary', 'stop rule')
    and m.waits > 0;
end;
$$;

comment on function tasker.measure_mass is
$$Returns the mass actions that have entries left and that were stopped by their canary or their stop rule. Reads the
newest 100 stopped mass actions.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_sequences.sql
create or replace function tasker.measure_sequences()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    format('sequence:%s/%s', b.namespace, b.name),
    'sequence',
    'blocked',
    b.namespace,
    b.name,
    case when b.tasks = 1 then format('A failed task of %s/%s holds up the sequence of key "%s"', b.namespace, b.name, left(b.keys[1], 100))
         else format('Failed tasks of %s/%s hold up %s sequences', b.namespace, b.name, b.tasks)
    end,
    tasker.incident_severity('sequence', 'blocked', b.tasks),
    b.since,
    b.tasks,
    jsonb_build_object('first_task', b.uuids[1], 'key', left(b.keys[1], 200))
  from (
    select
      r.namespace, r.name, count(*) as tasks, min(t.updated_at) as since,
      array_agg(r.task_uuid order by t.updated_at, r.task_uuid) as uuids, array_agg(r.run_key order by t.updated_at, r.task_uuid) as keys
    from (
      select r.task_uuid, r.namespace, r.name, r.run_key
        from tasker.runs as r
       where r.state = 'running'
       order by r.run_at
       limit 1000
    ) as r
    cross join lateral (
      select t.updated_at
        from tasker.tasks as t
       where t.task_uuid = r.task_uuid
         and t.state in ('error', 'blocked_by_failures')
      offset 0
    ) as t
    where exists (
      select
        from tasker.runs as w
       where w.namespace = r.namespace
         and w.name = r.name
         and w.run_key = r.run_key
         and w.state = 'waiting'
    )
    group by r.namespace, r.name
  ) as b;
end;
$$;

comment on function tasker.measure_sequences is
$$Returns the templates with failed tasks that block the tasks after them in the sequence of their key. Reads the 1,000
tasks that have had their place longest.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_storage.sql
create or replace function tasker.measure_storage()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    'partitions', 'partitions', 'ahead', null::text, 'partitions',
    'No partition covers the tasks that are created now',
    tasker.incident_severity('partitions', 'ahead', extract(epoch from tasker.clock() - p.until)), p.until, 1::bigint, '{}'::jsonb
  from (select coalesce(max(r.ends_at), tasker.clock()) as until from tasker.partition_ranges as r) as p
  where p.until <= tasker.clock()
  union all
  select
    'retention', 'retention', 'held', null::text, 'retention',
    format(case when p.ranges = 1 then '%s range is kept past its retention' else '%s ranges are kept past their retention' end, p.ranges),
    tasker.incident_severity('retention', 'held', extract(epoch from tasker.clock() - p.since)), p.since, p.ranges,
    jsonb_build_object('seconds', round(extract(epoch from tasker.clock() - p.since)))
  from (
    select min(coalesce(m.begun_at, r.ends_at + c.retention)) as since, count(*) as ranges
      from tasker.partition_config as c
      join tasker.partition_ranges as r
        on r.ends_at <= tasker.clock() - c.retention
      left join tasker.kept_moves as m
        on m.starts_at = r.starts_at
     -- An evacuated range has only the tasks that hold it, so it counts only if it is being moved again.
     where r.evacuations = 0
        or m.starts_at is not null
  ) as p
  where tasker.incident_severity('retention', 'held', extract(epoch from tasker.clock() - p.since)) > 0
  union all
  select
    'vacuum:snapshot', 'vacuum', 'snapshot', null::text, 'snapshot',
    'An old transaction keeps dead rows',
    tasker.incident_severity('vacuum', 'snapshot', extract(epoch from clock_timestamp() - x.since)), x.since, 1::bigint,
    jsonb_build_object('seconds', round(extract(epoch from clock_timestamp() - x.since)))
  from (select tasker.oldest_transaction() as since) as x
  where tasker.incident_severity('vacuum', 'snapshot', extract(epoch from clock_timestamp() - x.since)) > 0
  union all
  select
    'vacuum:wraparound', 'vacuum', 'wraparound', null::text, 'wraparound',
    'Autovacuum does not keep up with transaction numbers',
    tasker.incident_severity('vacuum', 'wraparound', x.age), tasker.clock(), 1::bigint,
    jsonb_build_object('transactions', x.age)
  from (select age(d.datfrozenxid) as age from pg_database as d where d.datname = current_database()) as x
  where tasker.incident_severity('vacuum', 'wraparound', x.age) > 0
  union all
  select
    'disk', 'disk', 'share', null::text, 'disk',
    format('The database takes %s GB of %s', round(x.bytes / 1073741824.0, 1), x.gigabytes),
    tasker.incident_severity('disk', 'share', x.bytes / (x.gigabytes * 1073741824.0)), tasker.clock(), 1::bigint,
    jsonb_build_object('bytes', x.bytes)
  from (
    select pg_database_size(current_database()) as bytes, s.gigabytes
      from (select tasker.setting_integer('disk_gigabytes') as gigabytes offset 0) as s
     where s.gigabytes > 0
  ) as x
  where tasker.incident_severity('disk', 'share', x.bytes / (x.gigabytes * 1073741824.0)) > 0
  union all
  select
    'connections', 'connections', 'share', null::text, 'connections',
    format('%s of %s connections are in use', c.used, c.allowed),
    tasker.incident_severity('connections', 'share', c.used::double precision / c.allowed), tasker.clock(), c.used, '{}'::jsonb
  from (
    select coalesce(sum(d.numbackends), 0)::bigint as used, current_setting('max_connections')::integer as allowed
      from pg_stat_database as d
  ) as c
  where tasker.incident_severity('connections', 'share', c.used::double precision / c.allowed) > 0;
end;
$$;

comment on function tasker.measure_storage is
$$Returns dangers to the database: no partition for new tasks, ranges that are kept past their retention, a full disk,
old transactions, old transaction ids, or few free connections.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/measure_incidents.sql
create or replace function tasker.measure_incidents()
  returns setof tasker.incident_measures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query select m.* from tasker.measure_failing() as m;
  return query select m.* from tasker.measure_unserved() as m;
  return query select m.* from tasker.measure_queues() as m;
  return query select m.* from tasker.measure_limits() as m;
  return query select m.* from tasker.measure_pauses() as m;
  return query select m.* from tasker.measure_deadlines() as m;
  return query select m.* from tasker.measure_schedules() as m;
  return query select m.* from tasker.measure_dead_letters() as m;
  return query select m.* from tasker.measure_subscriptions() as m;
  return query select m.* from tasker.measure_workers() as m;
  return query select m.* from tasker.measure_slow() as m;
  return query select m.* from tasker.measure_engine() as m;
  return query select m.* from tasker.measure_mass() as m;
  return query select m.* from tasker.measure_sequences() as m;
  return query select m.* from tasker.measure_storage() as m;
end;
$$;

comment on function tasker.measure_incidents is
$$Returns the present measurements that exceed thresholds of the rules in tasker.incident_rules. Writes nothing, so a
standby can measure, too.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/judge_incidents.sql
create or replace function tasker.judge_incidents()
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now  timestamptz := tasker.clock();
  v_seen text[];
begin
  -- If many failed steps have moved, people are retrying them. Then check more failed steps now.
  for v_turn in 1 .. 10 loop
    exit when tasker.sweep_error_steps(300) < 30;
  end loop;
  perform tasker.count_handler_hours();

  with seen as (
    insert into tasker.incidents as i
      (incident, kind, rule, namespace, subject, what, severity, measured, in_a_row, since, above_at, judged_at, entries, figures)
    select distinct on (m.incident)
      m.incident, m.kind, m.rule, m.namespace, m.subject, m.what,
      coalesce(max(m.severity) filter (where r.in_a_row = 1) over (partition by m.incident), 0::smallint),
      m.severity, 1, least(m.since, v_now), v_now, v_now, m.entries, m.figures
    from tasker.measure_incidents() as m
    join tasker.incident_rules as r
      on r.kind = m.kind
     and r.rule = m.rule
    where m.severity > 0
    order by m.incident, m.severity desc, m.rule
    on conflict (incident) do update
       set severity  = case
             when i.ended_at is not null then excluded.severity
             when excluded.measured > i.severity
                  and i.in_a_row + 1 >= (select r.in_a_row from tasker.incident_rules as r where r.kind = excluded.kind and r.rule = excluded.rule)
               then excluded.measured
             -- Another rule of the same kind may need only one measurement.
             when excluded.severity > i.severity then excluded.severity
             when excluded.measured < i.severity
                  and v_now - i.above_at >= (select r.clears_after from tasker.incident_rules as r where r.kind = i.kind and r.rule = i.rule)
               then excluded.measured
             else i.severity
           end,
           -- An incident that keeps its severity also keeps its rule, which says when the incident clears.
           rule      = case
             when i.ended_at is not null or excluded.measured >= i.severity
                  or v_now - i.above_at >= (select r.clears_after from tasker.incident_rules as r where r.kind = i.kind and r.rule = i.rule)
               then excluded.rule
             else i.rule
           end,
           in_a_row  = case when i.ended_at is not null then 1 when excluded.measured > i.severity then i.in_a_row + 1 else 0 end,
           since     = case when i.ended_at is not null then excluded.since else i.since end,
           above_at  = case
             when i.ended_at is not null or excluded.measured >= i.severity
                  or v_now - i.above_at >= (select r.clears_after from tasker.incident_rules as r where r.kind = i.kind and r.rule = i.rule)
               then v_now
             else i.above_at
           end,
           what      = excluded.what,
           measured  = excluded.measured,
           judged_at = v_now,
           ended_at  = null,
           entries   = excluded.entries,
           figures   = excluded.figures
    returning i.incident
  )
  select coalesce(array_agg(s.incident), '{}') into v_seen from seen as s;

  -- If an incident was not measured again, it is below all thresholds.
  delete from tasker.incidents as i
   where i.ended_at is null
     and i.severity = 0
     and i.incident <> all (v_seen);
  update tasker.incidents as i
     set measured = 0,
         in_a_row = 0,
         ended_at = case
           when v_now - i.above_at >= (select r.clears_after from tasker.incident_rules as r where r.kind = i.kind and r.rule = i.rule)
             then v_now
         end
   where i.ended_at is null
     and i.incident <> all (v_seen);
  update tasker.incident_watch set judged_at = v_now;
  return (select count(*) from tasker.incidents as i where i.ended_at is null and i.severity > 0);
end;
$$;

comment on function tasker.judge_incidents is
$$Measures all incidents and judges them by tasker.incident_rules. Raises an incident if consecutive measurements exceed
a threshold as often as the rule requires. Lowers or ends an incident if the measure has stayed below the threshold for
the time that the rule requires. Returns how many incidents are open. The maintenance duty "incidents" calls this
function.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/list_incidents.sql
create or replace function tasker.list_incidents(p_incident text default null, p_limit integer default null)
  returns setof tasker.incident_details
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
  v_bound  text[] := tasker.bound_namespaces();
  v_now    timestamptz := tasker.clock();
  v_judged timestamptz := (select nullif(w.judged_at, '-infinity') from tasker.incident_watch as w);
  v_book   text := tasker.setting('runbook');
  v_fresh  boolean;
  -- If no worker has ever worked in this database, the judgement is not late.
  v_since  timestamptz := coalesce(v_judged, (select min(w.registered_at) from tasker.workers as w));
begin
  perform tasker.check_page_size(p_limit);
  v_fresh := coalesce(v_judged > v_now - greatest(interval '1 minute', make_interval(secs => 4 * tasker.setting_integer('incident_seconds'))), false);

  return query
  with judged as (
    select
      i.incident, i.kind, i.rule, i.namespace, i.subject, i.what, i.severity, i.since, i.judged_at, i.ended_at, i.entries, i.figures
    from tasker.incidents as i
    where v_fresh
      and i.ended_at is null
      and i.severity > 0
      and (p_incident is null or i.incident = p_incident)
    union all
    select
      i.incident, i.kind, i.rule, i.namespace, i.subject, i.what, i.severity, i.since, i.judged_at, i.ended_at, i.entries, i.figures
    from tasker.incidents as i
    where i.incident = p_incident
      and i.ended_at is not null
      and i.severity > 0
    union all
    (
      -- There is no recent judgement. Measure now, without the earlier judgements.
      select distinct on (m.incident)
        m.incident, m.kind, m.rule, m.namespace, m.subject, m.what, m.severity, least(m.since, v_now), v_now, null::timestamptz, m.entries, m.figures
      from tasker.measure_incidents() as m
      where not v_fresh
        and m.severity > 0
        and (p_incident is null or m.incident = p_incident)
      order by m.incident, m.severity desc, m.rule
    )
    union all
    select
      'unjudged', 'unjudged', 'time', null, 'incidents',
      'Incidents are not judged: maintenance does not run', u.severity, v_since, v_now, null::timestamptz, 1::bigint,
      jsonb_build_object('seconds', round(extract(epoch from v_now - v_since)))
    from (select tasker.incident_severity('unjudged', 'time', extract(epoch from v_now - v_since)) as severity) as u
    where u.severity > 0
      and coalesce(p_incident, 'unjudged') = 'unjudged'
  ),
  shown as (
    select
      j.*,
      r.next_step,
      a.acknowledged_by, a.acknowledged_at, a.until, a.reason,
      case when a.incident is not null then 1 else j.severity end as shown_severity,
      min(j.since) over w as first_since,
      first_value(j.incident) over (w order by j.since, j.incident) as first_incident
    from judged as j
    join tasker.incident_rules as r
      on r.kind = j.kind
     and r.rule = j.rule
    left join tasker.incident_acknowledgements as a
      on a.incident = j.incident
     and a.acknowledged_at >= j.since
     and (a.until is null or a.until > v_now)
     and a.severity >= j.severity
    where v_bound is null
       or j.namespace = any (v_bound)
       or j.kind = 'unjudged'
    window w as (partition by j.kind, j.namespace, j.subject)
  )
  select
    s.incident,
    case s.shown_severity when 3 then 'act_now' when 2 then 'look_today' else 'information' end,
    s.kind, s.rule, s.namespace, s.subject,
    case s.kind
      when 'failing' then concat_ws(
        ', ', s.what,
        format('%s %s failed', s.entries, case when s.entries = 1 then 'step stands' else 'steps stand' end),
        case when (s.figures ->> 'failures_minute')::bigint > 0 then format('%s attempt%s failed within a minute', s.figures ->> 'failures_minute', case s.figures ->> 'failures_minute' when '1' then '' else 's' end) end
      )
      when 'unserved' then format('%s, %s %s for it', s.what, s.entries, case when s.entries = 1 then 'step waits' else 'steps wait' end)
      when 'queue' then format('%s: %s', s.what, s.entries)
      when 'limit' then format('%s, %s %s', s.what, s.entries, case when s.entries = 1 then 'step waits' else 'steps wait' end)
      when 'deadline' then format('%s: %s', s.what, s.entries)
      when 'dead_letters' then format('%s: %s', s.what, s.entries)
      else s.what
    end,
    s.next_step, s.since, s.judged_at, s.ended_at, s.entries,
    case when s.kind = 'failing' and s.since - s.first_since <= interval '5 minutes' then s.first_incident else s.incident end,
    s.acknowledged_by, s.acknowledged_at, s.until, s.reason,
    s.figures,
    replace(v_book, '{kind}', s.kind)
  from shown as s
  order by s.shown_severity desc, s.severity desc, s.entries desc, s.since, s.incident
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.list_incidents is
$$Returns the open incidents, the most severe first, as the maintenance duty "incidents" last judged them. With
p_incident, returns only this incident, even if it has ended within the last week. Acknowledged incidents are listed
only for information. A bound caller sees only the incidents of its own namespaces.

The table tasker.incident_rules says when an incident is raised, how severe it is and when it clears. If the newest
judgement is older than a minute, this function measures incidents itself. If the judgement is older than two minutes,
the function also returns an incident of the kind "unjudged". Raises TK422 for a limit out of range.$$;

grant execute on function tasker.list_incidents to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/incidents/get_readiness.sql
create or replace function tasker.get_readiness()
  returns setof tasker.readiness
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
begin
  return query
  with open as materialized (
    select i.kind, i.severity, i.what, i.ordinality as no
      from tasker.list_incidents() with ordinality as i
  )
  select
    (
      select min(o.what)
        from open as o
       where o.kind in ('partitions', 'orchestrator')
         and o.severity = 'act_now'
    ),
    coalesce((select o.severity from open as o where o.severity <> 'information' order by o.no limit 1), 'well'),
    array(
      select o.kind
        from open as o
       where o.severity <> 'information'
       group by o.kind
       order by min(o.no)
    );
end;
$$;

comment on function tasker.get_readiness is
$$Returns one row for the readiness probe of a server. The row says why no server can do its work (partitions or
orchestrators are missing), and which kinds of incidents are open (tasker.list_incidents). An incident of an application
does not make a server unready, because another server would have the same incident.

The row names no namespace, handler or error, because probes have no token.$$;

grant execute on function tasker.get_readiness to tasker_server, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/incidents/list_incident_rules.sql
create or replace function tasker.list_incident_rules()
  returns setof tasker.incident_rules
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query select r.* from tasker.incident_rules as r order by r.position;
end;
$$;

comment on function tasker.list_incident_rules is
$$Returns the rules that decide when an incident is raised. Each row has the measure, the value from which a person
should look today, the value from which a person should act now, whether the measure is compared with its usual value,
and when the incident clears.$$;

grant execute on function tasker.list_incident_rules to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/incident_cause.sql
create or replace function tasker.incident_cause(p_incident text)
  returns tasker.error_causes
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_no    text := substring(p_incident from '^failing:(-?[0-9]{1,19})$');
  v_cause tasker.error_causes;
begin
  select c.*
    into v_cause
    from tasker.error_causes as c
   where c.fingerprint = case when abs(v_no::numeric) < 9223372036854775807 then v_no::bigint end
     and (v_bound is null or c.namespace = any (v_bound));
  if not found then
    raise exception using
      errcode = 'TK404',
      message = coalesce('no cause of failures is called "' || left(p_incident, 100) || '"', 'the incident is null'),
      hint    = 'tasker.list_incidents() returns the incidents; those of kind failing have steps.';
  end if;
  return v_cause;
end;
$$;

comment on function tasker.incident_cause is
$$Returns the cause of an incident of the kind "failing". Raises TK404 if no cause has that name or the caller is bound
to other namespaces.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/list_incident_steps.sql
create or replace function tasker.list_incident_steps(p_incident text, p_after uuid default null, p_limit integer default null)
  returns setof tasker.incident_steps
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
  v_cause tasker.error_causes;
begin
  perform tasker.check_page_size(p_limit);
  v_cause := tasker.incident_cause(p_incident);
  return query
  select
    e.task_uuid, tasker.step_uuid(e.task_uuid, e.step_no), v_cause.namespace, d.name, d.version, s.name, s.state::text,
    e.failed_at, left(s.last_error, 2000)
  from tasker.error_steps as e
  cross join lateral (
    select s.name, s.state, s.last_error
      from tasker.workflow_steps as s
     where s.task_uuid = e.task_uuid
       and s.step_no = e.step_no
       and s.state = 'error'
    offset 0
  ) as s
  cross join lateral (
    select
      from tasker.tasks as t
     where t.task_uuid = e.task_uuid
       and not t.complete
    offset 0
  ) as t
  join tasker.named_tasks as d
    on d.named_task_uuid = e.named_task_uuid
  where e.fingerprint = v_cause.fingerprint
    and e.stands = 'failed'
    and (p_after is null or (e.task_uuid, e.step_no) > (tasker.task_uuid_of(p_after), tasker.step_no_of(p_after)))
  order by e.task_uuid, e.step_no
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.list_incident_steps is
$$Returns the steps of open tasks that are in state "error" for a cause now, by task and step number. The returned steps
are exactly the steps that the incident concerns. For the next page, pass the last step of this page as p_after.

Reads the state of each step again, so a step that was retried a moment ago is left out. Raises TK404 if no cause has
that name or the caller is bound to other namespaces, and TK422 for a limit out of range.$$;

grant execute on function tasker.list_incident_steps to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/task_tenant.sql
create or replace function tasker.task_tenant(p_tenant text, p_tags text[], p_context jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select left(
    case
      when p_tenant like 'tag:%' then (
        select min(substr(u.tag, length(p_tenant) - 3))
          from unnest(p_tags) as u (tag)
         where starts_with(u.tag, substr(p_tenant, 5))
      )
      when p_tenant like 'context:%' then p_context #>> string_to_array(substr(p_tenant, 9), '.')
    end,
    100
  );
end;

comment on function tasker.task_tenant is
$$Returns the tenant of a task. p_tenant is a value of the setting "tenant". If p_tenant names the beginning of a tag,
the tenant is the rest of this tag. If p_tenant names a path, the tenant is the value at this path in the context.
Returns null if the task names no tenant.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/private/sample_attempts.sql
create or replace function tasker.sample_attempts(p_cause tasker.error_causes, p_failed boolean)
  returns setof tasker.sampled_attempts
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_until  timestamptz := p_cause.last_at + interval '1 second';
  v_tenant text := tasker.setting('tenant');
  -- The number of results a second of all handlers before the newest failure.
  v_rate   numeric := (
    select sum(r.results) / 300 from tasker.work_rollups as r where r.bucket > v_until - interval '6 minutes' and r.bucket <= v_until
  );
begin
  return query
  with failed as (
    select e.task_uuid, e.step_no, e.sort_key
      from tasker.error_steps as e
     where p_failed
       and e.fingerprint = p_cause.fingerprint
       and e.stands in ('failed', 'retrying')
     order by e.task_uuid desc, e.step_no
     limit 2000
  ),
  attempts as (
    select f.task_uuid, f.step_no, a.worker_uuid
      from failed as f
     cross join lateral (
       select a.worker_uuid
         from tasker.step_result_log as a
        where a.task_uuid = f.task_uuid
          and a.step_no = f.step_no
          and a.row_key between f.sort_key and f.sort_key + 1
          and not a.success
        limit 1
     ) as a
    union all
    select a.task_uuid, a.step_no, a.worker_uuid
      from (
        select a.task_uuid, a.step_no, a.worker_uuid
          from tasker.step_result_log as a
         where not p_failed
           and a.recorded_at > v_until - make_interval(secs => least(3600, 2000 / greatest(v_rate, 0.5))::double precision)
           and a.recorded_at <= v_until
         limit 4000
      ) as a
      join tasker.workflow_steps as s
        on s.task_uuid = a.task_uuid
       and s.step_no = a.step_no
      join tasker.named_steps as k
        on k.named_step_uuid = s.named_step_uuid
       and k.name = p_cause.handler
  )
  select coalesce(w.version, 'unknown'), coalesce(regexp_replace(w.name, '#[0-9]+$', ''), 'unknown'), tasker.task_tenant(v_tenant, t.tags, t.context)
    from attempts as a
    join tasker.tasks as t
      on t.task_uuid = a.task_uuid
    join tasker.named_tasks as d
      on d.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = d.task_namespace_uuid
     and n.name = p_cause.namespace
    left join tasker.workers as w
      on w.worker_uuid = a.worker_uuid;
end;
$$;

comment on function tasker.sample_attempts is
$$Returns version, worker and tenant of at most 2,000 steps that are in error or are tried again for a cause. Without
p_failed, returns the same columns for attempts of the cause's handler before the newest failure. The period of these
attempts is so long that all handlers together had about 2,000 results in it.$$;
-- <<<

-- >>> db/schema/functions/operate/incidents/list_incident_shares.sql
create or replace function tasker.list_incident_shares(p_incident text)
  returns setof tasker.incident_shares
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
  v_cause tasker.error_causes := tasker.incident_cause(p_incident);
begin
  return query
  with counted as materialized (
    select v.dimension, coalesce(v.value, 'unknown') as value, count(*) filter (where x.failed) as failures, count(*) filter (where not x.failed) as attempts
      from (
        select true as failed, s.* from tasker.sample_attempts(v_cause, true) as s
        union all
        select false, s.* from tasker.sample_attempts(v_cause, false) as s
      ) as x
     cross join lateral (values ('version', x.version), ('worker', x.worker), ('tenant', x.tenant)) as v (dimension, value)
     where v.dimension <> 'tenant'
        or tasker.setting('tenant') <> 'none'
     group by 1, 2
  ),
  deployed as materialized (
    select w.version, min(w.registered_at) as first_at
      from tasker.workers as w
     where w.version is not null
       and w.registered_at > tasker.clock() - interval '7 days'
       and (w.handlers is null or v_cause.handler = any (w.handlers))
       and (w.namespaces = '{}' or v_cause.namespace = any (w.namespaces))
     group by w.version
  ),
  ranked as (
    select
      c.dimension, c.value, c.failures, c.attempts,
      c.failures / nullif(sum(c.failures) over d, 0) as failed_share,
      c.attempts / nullif(sum(c.attempts) over d, 0) as attempted_share,
      row_number() over (partition by c.dimension order by c.failures desc, c.attempts desc, c.value) as nth
    from counted as c
    window d as (partition by c.dimension)
  )
  select
    coalesce(r.dimension, 'version'), coalesce(r.value, o.version), coalesce(r.failures, 0), coalesce(r.failed_share, 0)::double precision,
    coalesce(r.attempts, 0), coalesce(r.attempted_share, 0)::double precision,
    -- A version that a worker had before this week does not count as a deployment.
    case when not exists (
      select from tasker.workers as w where w.version = o.version and w.registered_at <= tasker.clock() - interval '7 days'
    ) then o.first_at end
  from (select r.* from ranked as r where r.nth <= 10) as r
  full join deployed as o
    on r.dimension = 'version'
   and r.value = o.version
  order by 1, 3 desc, 5 desc, 2;
end;
$$;

comment on function tasker.list_incident_shares is
$$Returns versions, workers and tenants, each with its share of the failures of a cause and its share of all attempts of
the handler. If a share of the failures is far above the share of the attempts, the cause probably lies there. Returns
at most ten versions, ten workers and ten tenants, and every version that was deployed within a week.

Reads at most 2,000 failed steps and about 2,000 results. Raises TK404 if no cause has that name or the caller is bound to other namespaces.$$;

grant execute on function tasker.list_incident_shares to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/incidents/get_step_incident.sql
create or replace function tasker.get_step_incident(p_step_uuid uuid)
  returns text
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
  perform tasker.check_bound(p_step_uuid);
  return (
    select i.incident
      from tasker.error_steps as e
      join tasker.incidents as i
        on i.incident = 'failing:' || e.fingerprint
     where e.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and e.step_no = tasker.step_no_of(p_step_uuid)
       and e.stands <> 'over'
       and i.ended_at is null
  );
end;
$$;

comment on function tasker.get_step_incident is
$$Returns the name of the open incident of the cause for which a step failed last. Returns null if the step has moved
since then, or if its cause has no open incident.

Also returns null if there is no such step. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_incident to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/incidents/acknowledge_incident.sql
create or replace function tasker.acknowledge_incident(
  p_incident  text,
  p_until     timestamptz  default null,
  p_reason    text         default null,
  p_actor     text         default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound    text[] := tasker.bound_namespaces();
  v_incident tasker.incidents;
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_instant('end of the acknowledgement', p_until);
  select i.*
    into v_incident
    from tasker.incidents as i
   where i.incident = p_incident
     and i.ended_at is null
     and i.severity > 0
     and (v_bound is null or i.namespace = any (v_bound));
  if not found then
    raise exception using
      errcode = 'TK404',
      message = coalesce('no open incident is called "' || left(p_incident, 100) || '"', 'the incident is null'),
      hint    = 'tasker.list_incidents() returns the open incidents.';
  end if;
  if p_until <= tasker.clock() then
    raise exception using
      errcode = 'TK422',
      message = format('the acknowledgement would end at %s, which has passed', p_until),
      hint    = 'Name a time to come, or none: then it holds until the incident ends or becomes more severe.';
  end if;

  insert into tasker.incident_acknowledgements as a (incident, namespaces, severity, acknowledged_at, acknowledged_by, until, reason)
  values (
    v_incident.incident, case when v_incident.namespace is not null then array[v_incident.namespace] end, v_incident.severity,
    tasker.clock(), tasker.actor_name(p_actor), p_until, p_reason
  )
  on conflict (incident) do update
     set severity        = excluded.severity,
         acknowledged_at = excluded.acknowledged_at,
         acknowledged_by = excluded.acknowledged_by,
         until           = excluded.until,
         reason          = excluded.reason
   where (a.severity, a.acknowledged_by, a.until, a.reason) is distinct from (excluded.severity, excluded.acknowledged_by, excluded.until, excluded.reason)
      or a.acknowledged_at < v_incident.since;
  return found;
end;
$$;

comment on function tasker.acknowledge_incident is
$$Records that a person takes care of an open incident. Until p_until, lists show the incident only for information, and
"tasker health" does not count it. The acknowledgement ends early if the incident ends or becomes more severe. Without
p_until it lasts while the incident is open. Returns false if the incident was acknowledged in the same way before.

The default of p_actor is the caller's role. Locks the row of the acknowledgement. Raises TK404 if there is no such open
incident or the caller is bound to other namespaces, TK422 if p_until has passed, and TK413 if the actor's name or the
reason is too long.$$;

grant execute on function tasker.acknowledge_incident to tasker_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001415', 'data/incident_rules 313d0824326b8970
data/incident_watch d51655701007efbd
functions/operate/incidents/acknowledge_incident 20481340b67a8e5a
functions/operate/incidents/get_readiness 208ed3dcb423cbf8
functions/operate/incidents/get_step_incident 3222b33e1ac01ece
functions/operate/incidents/list_incident_rules 4fc7c30aa3d4e7ff
functions/operate/incidents/list_incident_shares 3a9bd4ccd4c45509
functions/operate/incidents/list_incident_steps 57d4580c48212023
functions/operate/incidents/list_incidents bc53f435747497b1
functions/operate/incidents/private/count_error_steps 4a6b27d0e4201513
functions/operate/incidents/private/count_handler_hours edd3c99e5529facb
functions/operate/incidents/private/error_fingerprint e8a14c43a9141068
functions/operate/incidents/private/error_head 8ddb26c43b623b89
functions/operate/incidents/private/incident_cause 9ea4a6970a620ed2
functions/operate/incidents/private/incident_severity b23a38b9b020b31f
functions/operate/incidents/private/judge_incidents b662456e6ae939c5
functions/operate/incidents/private/mask_error bfdf24d69f3a9b6f
functions/operate/incidents/private/measure_dead_letters 77b7e86963250854
functions/operate/incidents/private/measure_deadlines 7b5f7424969120e5
functions/operate/incidents/private/measure_engine 37d89a3e11dea583
functions/operate/incidents/private/measure_failing 825c0ef509df3c4d
functions/operate/incidents/private/measure_incidents d87924270236f910
functions/operate/incidents/private/measure_limits a7d9aa208b697d5d
functions/operate/incidents/private/measure_mass aadbe8bb4fc97253
functions/operate/incidents/private/measure_pauses d051a3e360da6b8e
functions/operate/incidents/private/measure_queues 0406f19ad785ab07
functions/operate/incidents/private/measure_schedules 4696698545a04ba2
functions/operate/incidents/private/measure_sequences 5b205e950458be0e
functions/operate/incidents/private/measure_slow b0a8114dc25608f2
functions/operate/incidents/private/measure_storage 811af64a5e517d5f
functions/operate/incidents/private/measure_subscriptions ce5939ce821e519d
functions/operate/incidents/private/measure_unserved ca16e6d7d96c66aa
functions/operate/incidents/private/measure_workers b2db878264d349d8
functions/operate/incidents/private/note_failures 2588f0635a60863e
functions/operate/incidents/private/read_failures 56654c759b16d434
functions/operate/incidents/private/results_of_last_minute c05b7fdfdc2b04c9
functions/operate/incidents/private/sample_attempts 96343cefa74f6805
functions/operate/incidents/private/sweep_error_steps 9053296458229853
functions/operate/incidents/private/task_tenant 962e7a7dcb02450e
rows/operate/incidents/incident_details b4f82562104cb04c
rows/operate/incidents/incident_measures 4977c172ceb3f13b
rows/operate/incidents/incident_shares c0fff58d8909c386
rows/operate/incidents/incident_steps 6536a15a75bfc2f6
rows/operate/incidents/read_failures f15bed8f5c5b1d57
rows/operate/incidents/readiness a0b881851b661a74
rows/operate/incidents/sampled_attempts b194e052de179ac9
tables/operate/incidents/error_causes eceeb06a69f26d2f
tables/operate/incidents/error_counts 2ec1fb17431ec287
tables/operate/incidents/error_hours cad55427256a8aa5
tables/operate/incidents/error_stands 941d8e9d04ac0310
tables/operate/incidents/error_steps 2669eb64775b9ddc
tables/operate/incidents/handler_hours 798fa152b915a714
tables/operate/incidents/incident_rules 54c5eabdbfde93f2
tables/operate/incidents/incident_watch 077f25fb9ebc9661
tables/operate/incidents/incidents d6f4e707ec4cd27a
triggers/operate/incidents/error_steps 3e8198f59a05c06d
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001415';

drop function tasker.acknowledge_incident;
drop function tasker.get_step_incident;
drop function tasker.list_incident_shares;
drop function tasker.sample_attempts;
drop function tasker.task_tenant;
drop function tasker.list_incident_steps;
drop function tasker.incident_cause;
drop function tasker.list_incident_rules;
drop function tasker.get_readiness;
drop function tasker.list_incidents;
drop function tasker.judge_incidents;
drop function tasker.measure_incidents;
drop function tasker.measure_storage;
drop function tasker.measure_sequences;
drop function tasker.measure_mass;
drop function tasker.measure_engine;
drop function tasker.measure_slow;
drop function tasker.measure_workers;
drop function tasker.measure_subscriptions;
drop function tasker.measure_dead_letters;
drop function tasker.measure_schedules;
drop function tasker.measure_deadlines;
drop function tasker.measure_pauses;
drop function tasker.measure_limits;
drop function tasker.measure_queues;
drop function tasker.measure_unserved;
drop function tasker.measure_failing;
drop function tasker.results_of_last_minute;
drop function tasker.count_handler_hours;
drop function tasker.sweep_error_steps;
drop function tasker.note_failures;
drop function tasker.read_failures;
drop function tasker.incident_severity;
drop function tasker.error_fingerprint;
drop function tasker.mask_error;
drop function tasker.error_head;
drop view tasker.incident_shares;
drop view tasker.sampled_attempts;
drop view tasker.readiness;
drop view tasker.incident_steps;
drop view tasker.incident_details;
drop view tasker.incident_measures;
drop view tasker.read_failures;
drop trigger error_steps_count_delete on tasker.error_steps;
drop trigger error_steps_count_update on tasker.error_steps;
drop trigger error_steps_count_insert on tasker.error_steps;
drop function tasker.count_error_steps;
drop table tasker.error_stands;
drop table tasker.error_steps;
drop table tasker.handler_hours;
drop table tasker.error_hours;
drop table tasker.error_counts;
drop table tasker.error_causes;
delete from tasker.incident_watch;
drop table tasker.incident_watch;
drop table tasker.incidents;
delete from tasker.incident_rules;
drop table tasker.incident_rules;

select tasker.note_objects();

reset role;
