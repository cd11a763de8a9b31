create or replace function tasker.computed_task_priority(
  p_priority         integer,
  p_modifier         numeric,
  p_waiting_since    timestamptz,
  p_retries          bigint       default 0,
  p_requested_at     timestamptz  default null,
  p_deadline         timestamptz  default null,
  p_age_factor       numeric      default null,
  p_retry_factor     numeric      default null,
  p_deadline_factor  numeric      default null
)
  returns numeric
  language sql
  stable
  parallel safe
begin atomic
  select p_priority
    + coalesce(p_modifier, 0)
    + coalesce(p_age_factor, tasker.setting_numeric('priority_age_factor'))
      * greatest(extract(epoch from tasker.clock() - p_waiting_since) / 3600, 0)
    + coalesce(p_retry_factor, tasker.setting_numeric('priority_retry_factor')) * coalesce(p_retries, 0)
    + case
        when p_deadline is null then 0
        else coalesce(p_deadline_factor, tasker.setting_numeric('priority_deadline_factor'))
          * case
              when p_deadline <= coalesce(p_requested_at, p_waiting_since) then 1
              else least(greatest(
                extract(epoch from tasker.clock() - coalesce(p_requested_at, p_waiting_since))
                / extract(epoch from p_deadline - coalesce(p_requested_at, p_waiting_since)), 0
              ), 1)
            end
      end;
end;

comment on function tasker.computed_task_priority is
$$Returns the number by which waiting tasks are ordered: priority + namespace's modifier + age factor × hours waited + retry factor × retries + deadline factor × share of the time between request and deadline that has passed.

The number never falls while a task waits. A null factor means the value of the setting. The function is inlined.$$;
