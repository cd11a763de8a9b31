create table tasker.step_queue (
  task_uuid        uuid               not null,
  step_no          integer            not null,
  namespace        text               not null,
  lane             tasker.queue_lane  not null,
  named_step_uuid  uuid               not null,
  claim_no         integer            not null  default 0,
  visible_at       timestamptz        not null,
  limit_no         integer,
  limit_key        text,
  limit_lane       tasker.queue_lane,

  constraint step_queue_pkey
    primary key (task_uuid, step_no)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index step_queue_claim_idx
  on tasker.step_queue (namespace, lane, named_step_uuid, visible_at);

comment on index tasker.step_queue_claim_idx is
  'Serves claims. Claims find the oldest ready steps of a handler in a namespace''s lane, without reading running steps or the steps of other handlers. Claims also find running steps whose lease has ended.';

create index step_queue_limit_idx
  on tasker.step_queue (limit_no, limit_key, lane, named_step_uuid, limit_lane, visible_at)
  where limit_no is not null;

comment on index tasker.step_queue_limit_idx is
  'Serves limits: the running and the waiting steps of a key, by handler and lane.';

comment on table tasker.step_queue is
  'The steps that may run: one row for each step in the processing pipeline. The table is small, hot and not partitioned.';
comment on column tasker.step_queue.visible_at is
  'The time from which the row may be taken: the time when the step became ready or its result was recorded, or the end of its worker''s lease.';
comment on column tasker.step_queue.limit_no is
  'The limit that the step names. limit_key is the key in this limit, and limit_lane is the lane that the step would have without the limit. All three are null for most steps. No CHECK ensures that, because a CHECK would cost each statement that writes a row. The function tasker.check_integrity() checks it instead.';
