create or replace view tasker.step_moves as
select
  null::integer as position,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  'pending'::tasker.step_state as from_state,
  null::text as first_event,
  null::tasker.step_state as via_state,
  null::text as event,
  'pending'::tasker.step_state as to_state,
  null::integer as held_claim_no,
  null::integer as claim_no,
  null::integer as settled,
  null::integer as satisfied,
  null::uuid as worker_uuid,
  null::timestamptz as lease_until,
  null::timestamptz as next_retry_at,
  null::timestamptz as visible_at,
  null::bigint as execution_time_ms,
  null::double precision as backoff_seconds,
  null::text as actor,
  null::text as reason,
  null::text as error,
  null::jsonb as result,
  null::jsonb as metadata,
  null::integer as transition_count,
  null::integer as priority,
  null::uuid as named_step_uuid,
  null::timestamptz as moved_at,
  0::smallint as effects,
  null::jsonb as value
where false;

comment on view tasker.step_moves is
  'Row type: one move of one step. The last five columns have the facts that tasker.write_move or tasker.write_moves adds when it writes the move. The other columns have the decision.';
comment on column tasker.step_moves.position is
  'The position, among the results of the call, of the result that led to this move. Null if no result led to the move.';
comment on column tasker.step_moves.from_state is
  'The state that the decision was made for. A step that has left this state is not moved.';
comment on column tasker.step_moves.first_event is
  'The event of the first of two transitions, which leads to via_state. Null if the move has only one transition.';
comment on column tasker.step_moves.event is
  'The event of the transition that leads to to_state. Null if the step keeps its state and only counts its settled parents.';
comment on column tasker.step_moves.held_claim_no is
  'The claim number that the step must still have for the move to be written. Null means any claim.';
comment on column tasker.step_moves.claim_no is
  'The claim number that a start assigns. After the move is written, the column has the claim number of the step.';
comment on column tasker.step_moves.settled is
  'The number of parents that settle with this move. Null if none settles. The column satisfied counts their satisfied edges.';
comment on column tasker.step_moves.effects is
  'The features of the step that this move concerns (tasker.effects_of_move).';
comment on column tasker.step_moves.value is
  'The value with which the wait of a durable function ended. The function keeps this value.';
comment on column tasker.step_moves.visible_at is
  'The time from which the queue row may be taken. If this is null, an existing queue row stays as it is, because the claim has already written it.';
