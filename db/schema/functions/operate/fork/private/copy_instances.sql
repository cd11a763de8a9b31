create or replace function tasker.copy_instances(p_old tasker.workflow_steps, p_new tasker.workflow_steps, p_last integer)
  returns void
  language plpgsql
as $$
declare
  v_expansion jsonb := tasker.new_expansion(p_new);
  v_key       jsonpath;
  v_context   jsonb;
begin
  if p_new.limit_no is not null then
    select k.limit_key, t.context
      into v_key, v_context
      from tasker.tasks as t
      join tasker.named_tasks_named_steps as k
        on k.named_task_uuid = t.named_task_uuid
       and k.step_no = p_new.step_no
     where t.task_uuid = p_new.task_uuid;
  end if;
  update tasker.workflow_steps as s
     set join_mode = 'settled',
         expansion = v_expansion || jsonb_build_object(
           'elements', p_old.expansion -> 'elements', 'expanded', p_old.expansion -> 'expanded'
         )
   where s.task_uuid = p_new.task_uuid
     and s.step_no = p_new.step_no;

  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, join_mode, max_attempts, retryable, priority,
    timeout_seconds, backoff_base_seconds, backoff_multiplier, max_backoff_seconds, inputs, await, map_no, limit_no,
    limit_key, compensate_uuid, effects
  )
  select
    p_new.task_uuid, p_last + i.place, tasker.step_uuid(p_new.task_uuid, p_last + i.place), p_new.named_step_uuid, i.name,
    'settled', p_new.max_attempts, p_new.retryable, p_new.priority, p_new.timeout_seconds, p_new.backoff_base_seconds,
    p_new.backoff_multiplier, p_new.max_backoff_seconds, i.inputs, p_new.await, p_new.step_no, p_new.limit_no,
    -- The key of the limit may be in the element.
    case when v_key is null then p_new.limit_key else tasker.limit_key_of(v_key, v_context, i.inputs) end,
    p_new.compensate_uuid, p_new.effects
  from (
    select
      i.name,
      p_new.inputs || jsonb_build_object('element', i.inputs -> 'element', 'index', i.inputs -> 'index') as inputs,
      (row_number() over (order by i.step_no))::integer as place
    from tasker.map_instances(p_old.task_uuid, p_old.step_no) as i
  ) as i;

  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, condition)
  select p_new.task_uuid, e.from_step_no, i.step_no, e.condition
    from tasker.workflow_steps as i
   cross join lateral (
     select e.from_step_no, e.condition
       from tasker.workflow_step_edges as e
      where e.task_uuid = p_new.task_uuid
        and e.to_step_no = p_new.step_no
        and e.from_step_no <= p_last
     offset 0
   ) as e
   where i.task_uuid = p_new.task_uuid
     and i.step_no > p_last
  union all
  select p_new.task_uuid, i.step_no, p_new.step_no, null
    from tasker.workflow_steps as i
   where i.task_uuid = p_new.task_uuid
     and i.step_no > p_last;
end;
$$;

comment on function tasker.copy_instances is
$$Copies the instances of the map p_old, with their edges, to the map p_new, as pending steps with numbers above p_last.
Marks the map p_new as begun. The caller updates the counters of the instances' parents.$$;
