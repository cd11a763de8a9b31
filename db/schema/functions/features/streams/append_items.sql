create or replace function tasker.append_items(
  p_step_uuid  uuid,
  p_claim_no   integer,
  p_stream     text,
  p_items      jsonb,
  p_batch_no   integer  default null
)
  returns setof tasker.stream_answers
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
  v_task   uuid    := tasker.task_uuid_of(p_step_uuid);
  v_no     integer := tasker.step_no_of(p_step_uuid);
  v_bytes  bigint  := octet_length(p_items::text);
  v_limits record;
  v_head   tasker.step_streams;
  v_answer tasker.stream_answers;
begin
  if p_claim_no is null or p_batch_no < 1 then
    perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
    raise exception using
      errcode = 'TK422',
      message = 'a batch has a number below 1',
      hint    = 'Count the batches that one claim appends to a stream from 1, or leave the number out.';
  end if;
  perform tasker.check_isolation();
  perform tasker.check_stream_name(p_step_uuid, p_stream);
  perform tasker.check_bound(p_step_uuid);
  select max(s.value::bigint) filter (where s.name = 'stream_item_bytes') as item_bytes,
         max(s.value::bigint) filter (where s.name = 'stream_items') as items,
         max(s.value::bigint) filter (where s.name = 'stream_bytes') as bytes
    into v_limits
    from tasker.settings as s
   where s.name = any (array['stream_item_bytes', 'stream_items', 'stream_bytes']);
  perform tasker.check_items(p_stream, p_items, v_bytes, v_limits.item_bytes);

  v_answer.last_no := tasker.write_items(
    v_task, v_no, p_claim_no, p_stream, p_items, p_batch_no, v_bytes, v_limits.items, v_limits.bytes
  );
  if v_answer.last_no is null then
    v_answer.answer := tasker.hold_stream_step(p_step_uuid, p_claim_no);
    if v_answer.answer <> 'saved' then
      return next v_answer;
      return;
    end if;
    v_head := tasker.open_stream(p_step_uuid, p_claim_no, p_stream, false);
    if v_head.claim_no = p_claim_no and p_batch_no <= v_head.batch_no then
      v_answer.last_no := v_head.last_no;
      return next v_answer;
      return;
    end if;
    perform tasker.make_room(v_head, jsonb_array_length(p_items), v_bytes, v_limits.items, v_limits.bytes);
    v_answer.last_no := tasker.write_items(
      v_task, v_no, p_claim_no, p_stream, p_items, p_batch_no, v_bytes, v_limits.items, v_limits.bytes
    );
  end if;
  v_answer.answer := 'saved';
  perform tasker.notify_stream(p_step_uuid);
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.append_items is
$$Appends items to a stream of a running step. p_items is a JSON array of at most 1,000 items. The answer is "saved", with the number of the last item, "stale" if the step has another claim, or "cancelled". Items are numbered from 1 without a gap, and become visible in the order of their numbers. So a reader that continues after a number misses no item. The items of one call are stored as one row.

p_batch_no counts the batches that the claim appends to this stream, from 1. If a call is repeated because its answer was lost, its batch is saved only once. A call with an old claim number changes nothing and is answered "stale". A full stream refuses items, except that the stream "log" loses its oldest items instead. Locks the stream's row until the commit. Before that, locks the step if this is the claim's first write to the stream or the stream is full. Raises TK404 if there is no such step, TK413 if an item is larger than the setting "stream_item_bytes", if the items together are larger than 1 MiB, if the stream would exceed the settings "stream_items" or "stream_bytes", or if the step would have more than 16 values and streams. Raises TK422 for an argument that is null or malformed, and if the payloads of the step are encrypted, TK403 if the role is bound to other namespaces, TK409 if the name is the name of a value, above READ COMMITTED, or if another session keeps the stream locked for 5 seconds.$$;

grant execute on function tasker.append_items
  to tasker_worker, tasker_orchestrator, tasker_operator;
