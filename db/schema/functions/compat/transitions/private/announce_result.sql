create or replace function tasker.announce_result(p_move tasker.step_moves)
  returns void
  language plpgsql
as $$
begin
  -- The queue row says that a result waits to be processed. The message only announces the result.
  if p_move.to_state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration')
     and tasker.queue_exists('orchestration_step_results') then
    perform tasker.announce_messages('orchestration_step_results', array[
      jsonb_build_object(
        'task_uuid', p_move.task_uuid,
        'step_uuid', tasker.step_uuid(p_move.task_uuid, p_move.step_no),
        'correlation_id', (select t.correlation_id from tasker.tasks as t where t.task_uuid = p_move.task_uuid)
      )
    ]);
  end if;
end;
$$;

comment on function tasker.announce_result is
$$Sends a message to the queue orchestration_step_results, if the queue exists and the move recorded a result. The message announces the result to orchestrators.$$;
