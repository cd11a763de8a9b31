create table tasker.timers (
  task_uuid  uuid               not null,
  step_no    integer            not null  default 0,
  kind       tasker.timer_kind  not null,
  due_at     timestamptz        not null,
  xact       bigint             not null  default pg_current_xact_id()::text::bigint,
  namespace  text               not null  default '',

  constraint timers_pkey
    primary key (task_uuid, step_no, kind),
  constraint timers_step_no_check
    check ((step_no > 0) = (kind in ('retry_step', 'end_wait', 'expand_map', 'start_child', 'cancel_child', 'match_wait', 'end_race', 'start_within')) or kind = 'cancel_child')
) with (fillfactor = 80);

create index timers_due_idx
  on tasker.timers (due_at);

comment on index tasker.timers_due_idx is
  'Serves the firing of due timers, and shows how long a client may sleep.';

create index timers_turn_idx
  on tasker.timers (namespace, due_at);

comment on index tasker.timers_turn_idx is
  'Serves the turns of namespaces while more timers are due than a call fires.';

create index timers_end_idx
  on tasker.timers (namespace, due_at)
  where kind in ('cancel_child', 'task_deadline');

comment on index tasker.timers_end_idx is
  'Serves the same turns: timers that end work go before timers that start more work.';

create index timers_start_xact_idx
  on tasker.timers (xact)
  where kind = 'start_task' and xact is not null;

comment on index tasker.timers_start_xact_idx is
  'Serves the feed: tasks that were created to start later. The second condition keeps queries that only name the kind from using this index. With the statistics of an empty table, they would read the index from end to end.';

comment on table tasker.timers is
  'Events that are due later: a task''s start, a step''s next attempt, the end of the time that a step may wait for a worker, a task''s deadline, the end of a step''s wait, the next instances of a map, a schedule''s next tick. Notes are timers, too. A note between tasks starts the task of a step, reports the end of a task to its parent, or cancels the task of a step. Other notes undo a task, cancel the steps that a step with join: first did not wait for, or match broadcasts with waits. The table is not partitioned.';

comment on column tasker.timers.task_uuid is
  'The UUID of the task. For fire_schedule the UUID of the schedule, which is above the UUIDs of all tasks. For deliver_event the UUID of the event.';

comment on column tasker.timers.xact is
  'The transaction that wrote the row.';
comment on column tasker.timers.namespace is
  'The namespace in whose turn the timer fires if many timers are due. If the writer named no namespace, this is empty and the timer fires in every turn.';
