create or replace function tasker.step_move(
  p_task_uuid          uuid,
  p_step_no            integer,
  p_from_state         tasker.step_state,
  p_to_state           tasker.step_state,
  p_position           bigint             default null,
  p_first_event        text               default null,
  p_via_state          tasker.step_state  default null,
  p_event              text               default null,
  p_held_claim_no      integer            default null,
  p_claim_no           integer            default null,
  p_settled            integer            default null,
  p_satisfied          integer            default null,
  p_worker_uuid        uuid               default null,
  p_lease_until        timestamptz        default null,
  p_next_retry_at      timestamptz        default null,
  p_visible_at         timestamptz        default null,
  p_execution_time_ms  bigint             default null,
  p_backoff_seconds    double precision   default null,
  p_actor              text               default null,
  p_reason             text               default null,
  p_error              text               default null,
  p_result             jsonb              default null,
  p_metadata           jsonb              default null,
  p_transition_count   integer            default null,
  p_priority           integer            default null,
  p_named_step_uuid    uuid               default null,
  p_moved_at           timestamptz        default null,
  p_effects            smallint           default 0,
  p_value              jsonb              default null
)
  returns tasker.step_moves
  language sql
  immutable
  parallel safe
begin atomic
  -- Only this function knows the order of the columns. It is inlined, so a call costs no more than the row.
  select row(
    p_position::integer, p_task_uuid, p_step_no, p_from_state, p_first_event, p_via_state, p_event, p_to_state,
    p_held_claim_no, p_claim_no, p_settled, p_satisfied, p_worker_uuid, p_lease_until, p_next_retry_at, p_visible_at,
    p_execution_time_ms, p_backoff_seconds, p_actor, p_reason, p_error, p_result, p_metadata, p_transition_count,
    p_priority, p_named_step_uuid, p_moved_at, p_effects, p_value
  )::tasker.step_moves;
end;

comment on function tasker.step_move is
$$Returns a move: the step, its states before and after, the event, and further columns. Calls name the arguments. An omitted argument is null.$$;
