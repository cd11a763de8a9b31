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
