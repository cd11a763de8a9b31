create or replace function tasker.run_mass_action(p_action tasker.mass_actions, p_limit integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_action tasker.mass_actions := p_action;
  v_until  timestamptz := clock_timestamp() + interval '1 second'; -- other duties wait until then
  v_quota  integer;
  v_did    integer;
  v_done   integer := 0;
begin
  v_action.judged_to := tasker.judge_mass_entries(v_action.selection_uuid, v_action.judged_to, 1000);
  loop
    v_action := tasker.weigh_mass_action(v_action);
    exit when v_action.state <> 'running' or v_done >= p_limit or clock_timestamp() > v_until;
    v_quota := least(tasker.mass_quota(v_action), p_limit - v_done);
    exit when v_quota <= 0;
    v_did := tasker.act_on_entries(v_action, v_quota, v_until);
    exit when v_did = 0;
    v_done := v_done + v_did;
    v_action.acted_at := tasker.clock();
    v_action.paced := v_action.paced + case v_action.stage when 3 then v_did else 0 end;
  end loop;

  update tasker.mass_actions as m
     set state       = v_action.state,
         stopped_by  = v_action.stopped_by,
         stopped_why = v_action.stopped_why,
         ended_at    = v_action.ended_at,
         stage       = v_action.stage,
         stage_at    = v_action.stage_at,
         paced       = v_action.paced,
         acted_at    = v_action.acted_at,
         ran_at      = tasker.clock(),
         judged_to   = v_action.judged_to,
         waits       = v_action.waits,
         open        = v_action.open,
         passed      = v_action.passed,
         failed      = v_action.failed,
         skipped     = v_action.skipped
   where m.selection_uuid = v_action.selection_uuid;
  return v_done;
end;
$$;

comment on function tasker.run_mass_action is
$$Does a batch of a mass action whose row the caller has locked. Reads outcomes, stops the action if its rule requires
it, acts on the next entries, and writes the progress. Returns how many entries left the state "waits".$$;
