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
