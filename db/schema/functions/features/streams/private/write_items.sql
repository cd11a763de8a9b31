create or replace function tasker.write_items(
  p_task_uuid  uuid,
  p_step_no    integer,
  p_claim_no   integer,
  p_stream     text,
  p_items      jsonb,
  p_batch_no   integer,
  p_bytes      bigint,
  p_max_items  bigint,
  p_max_bytes  bigint
)
  returns bigint
  language plpgsql
as $$
declare
  v_count integer := jsonb_array_length(p_items);
  v_last  bigint;
begin
  -- A single statement checks and writes. If it had to wait for the lock of the stream's row, it checks the row as it is
  -- after the wait.
  with head as (
    update tasker.step_streams as h
       set last_no    = h.last_no + v_count,
           bytes      = h.bytes + p_bytes,
           claim_no   = p_claim_no,
           batch_no   = coalesce(p_batch_no, case when h.claim_no = p_claim_no then h.batch_no else 0 end),
           attempt    = s.attempts,
           changed_at = tasker.write_clock()
      from tasker.workflow_steps as s
     where h.task_uuid = p_task_uuid
       and h.step_no = p_step_no
       and h.name = p_stream
       and h.value is null
       and h.claim_no <= p_claim_no
       and (p_batch_no is null or h.claim_no < p_claim_no or h.batch_no < p_batch_no)
       and h.last_no - h.first_no + 1 + v_count <= p_max_items
       and h.bytes + p_bytes <= p_max_bytes
       and s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
       and s.state = 'in_progress'
       and s.claim_no = p_claim_no
    returning h.last_no, h.attempt, h.changed_at
  )
  insert into tasker.stream_items (task_uuid, step_no, name, last_no, first_no, attempt, written_at, items)
  select p_task_uuid, p_step_no, p_stream, h.last_no, h.last_no - v_count + 1, h.attempt, h.changed_at, p_items
    from head as h
  returning last_no into v_last;
  return v_last;
end;
$$;

comment on function tasker.write_items is
$$Appends items to a stream that exists and has room, if the step has this claim. Returns the number of the last item, or null if no item was written. Locks the stream's row.$$;
