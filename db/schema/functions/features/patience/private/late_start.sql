create or replace function tasker.late_start(p_task_uuid uuid, p_step_no integer, p_start_within numeric)
  returns tasker.step_moves
  language sql
  immutable
  parallel safe
begin atomic
  select tasker.step_move(
    p_task_uuid => p_task_uuid, p_step_no => p_step_no, p_from_state => 'enqueued', p_event => 'Fail', p_to_state => 'error',
    p_error => e.error, p_metadata => jsonb_build_object('error', e.error, 'permanent', true)
  )
    from (select format('no worker has started it within %s seconds', trim_scale(p_start_within)) as error) as e;
end;

comment on function tasker.late_start is
$$Returns the move that fails a step that no worker has started in time.$$;
