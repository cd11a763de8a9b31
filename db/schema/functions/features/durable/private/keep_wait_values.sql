create or replace function tasker.keep_wait_values(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_settings tasker.settings_now;
  v_step     record;
begin
  select c.* into v_settings from tasker.settings_now as c;
  v_settings.kept_bytes := 9223372036854775807;
  for v_step in
    select m.task_uuid, m.step_no, m.value, s.claim_no, s.wait
      from unnest(p_moves) as m
     cross join lateral (
       select s.claim_no, s.wait
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and not s.wait ?| '{diverged,snoozed}'
       offset 0
     ) as s
     where m.from_state = 'suspended'
       and m.to_state = 'enqueued'
       and m.value is not null
     order by m.task_uuid, m.step_no
  loop
    -- suspend_step has checked the position when the wait began. So keep the value even if the function now exceeds the
    -- limits; its next call is then refused.
    v_settings.kept_results := (v_step.wait ->> 'position')::integer;
    perform tasker.write_kept(
      v_step.task_uuid, v_step.step_no, v_step.claim_no, (v_step.wait ->> 'position')::integer, v_step.wait ->> 'name',
      (v_step.wait ->> 'occurrence')::integer, v_step.value, null, v_settings
    );
    perform tasker.note_kept(v_step.task_uuid, v_step.step_no, 0);
  end loop;
end;
$$;

comment on function tasker.keep_wait_values is
$$Keeps the values that ended the waits of functions, each at the position of its wait. If a function diverged from its kept results, or was snoozed, no new value is kept. The door "moved" calls this function, so the writer holds the locks.$$;
