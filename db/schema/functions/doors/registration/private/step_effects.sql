create or replace function tasker.step_effects(p_step jsonb)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  -- The bits are: 1 and 8: waits. 4: limits. 256: the step needs more than one place of a limit, or several limits.
  -- 512: the step may wait for a worker only for a certain time. 16: durable functions (set when they first wait).
  -- 2048: the step starts as soon as the first of its dependencies has ended. 4096: the step waits for a failure. 1024:
  -- another step waits for this step's failure (known when all steps are registered: tasker.steps_registered). 8192:
  -- the payloads are encrypted, and 128: the result has attributes of the task (both known when the version is
  -- registered: tasker.version_registered). 16384: the task is paused.
  select (
    case when p_step ?| '{await,task}' then 9 else 0 end
    | case when p_step ? 'limit' then 4 else 0 end
    | case when p_step ?| '{limit_units,limit_hold,limits}' then 256 else 0 end
    | case when p_step ? 'start_within' then 512 else 0 end
    | case when p_step ->> 'join' = 'first' then 2048 else 0 end
    | case when jsonb_path_exists(p_step, '$.dependencies[*].on') then 4096 else 0 end
  )::smallint;
end;

comment on function tasker.step_effects is
$$Returns the effects of a step of a template, as bits: they name the features that handle the step's moves. The template is in normal form.$$;
