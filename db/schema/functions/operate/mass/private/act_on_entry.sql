create or replace function tasker.act_on_entry(p_action tasker.mass_actions, p_entry tasker.selection_entries)
  returns tasker.selection_entries
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_entry   tasker.selection_entries := p_entry;
  v_reason  text := format('%s (mass action %s)', p_action.reason, p_action.selection_uuid);
  -- tasker.check_given_name does not allow a caller to give itself the name of a token or of a person who signed in.
  v_actor   text := left(case
    when p_action.started_by ~* '(^|,)\s*(token|schedule|person|task)' then 'for ' || replace(p_action.started_by, ',', ' by')
    else p_action.started_by
  end, 200);
  v_changed boolean := true;
begin
  if p_action.action in ('reset', 'requeue') and tasker.identity_is_held(v_entry.task_uuid) then
    v_entry.tries := v_entry.tries + 1;
    return v_entry;
  end if;
  v_entry.watch := case
    when p_action.action = 'retry' then array[tasker.step_no_of(v_entry.object_uuid)]
    when p_action.action in ('reset', 'requeue') then tasker.failed_step_nos(v_entry.task_uuid)
  end;
  case p_action.action
    when 'reset' then
      v_changed := tasker.reset_task(v_entry.object_uuid, v_reason, v_actor);
    when 'requeue' then
      v_changed := tasker.requeue_dlq_entry(v_entry.object_uuid, v_reason);
    when 'retry' then
      v_changed := tasker.retry_step(v_entry.object_uuid, v_reason, v_actor);
    when 'cancel' then
      v_changed := tasker.cancel_task(v_entry.object_uuid, v_reason, v_actor);
    when 'complete' then
      v_changed := tasker.complete_step_manually(v_entry.object_uuid, p_action.arguments -> 'results', v_reason, v_actor);
    when 'resolve' then
      if exists (select from tasker.selections as s where s.selection_uuid = p_action.selection_uuid and s.kind = 'steps') then
        v_changed := tasker.resolve_step_manually(v_entry.object_uuid, v_reason, v_actor);
      else
        v_changed := tasker.resolve_task_manually(v_entry.object_uuid, v_reason, v_actor);
      end if;
    when 'fork' then
      v_entry := tasker.fork_entry(p_action, v_entry, v_reason, v_actor);
  end case;
  v_entry.state := case when not v_changed then 'skipped' when coalesce(v_entry.watch, '{}') = '{}' then 'passed' else 'open' end;
  v_entry.note := case when not v_changed then 'there was nothing to do' end;
  return v_entry;
exception
  when others then
    v_entry := p_entry;
    if sqlstate in ('40001', '40P01', '55P03') then
      v_entry.tries := v_entry.tries + 1;
    else
      v_entry.state := case when sqlstate like 'TK%' then 'skipped' else 'failed' end;
      v_entry.note := left(sqlerrm, 500);
    end if;
    return v_entry;
end;
$$;

comment on function tasker.act_on_entry is
$$Acts on one entry with the function for a single task, step or dead letter, and returns the entry with its outcome. If
this function refuses, for example because a state has changed, the entry is skipped. The caller has locked the entry's
task.$$;
