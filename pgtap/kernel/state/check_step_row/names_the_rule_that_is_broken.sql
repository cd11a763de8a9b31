begin;
select plan(20);

-- Starts from a valid row of the state; each change breaks the rule that it is listed with.
create function pg_temp.broken(p_state text, p_change jsonb)
  returns text
  language plpgsql
as $$
declare
  v_row  tasker.workflow_steps;
  v_rule text;
begin
  v_row := jsonb_populate_record(null::tasker.workflow_steps, jsonb_build_object(
    'state', p_state, 'total_parents', 2, 'pending_parents', 0, 'satisfied_parents', 1, 'claim_no', 3,
    'attempts', 2, 'lost_count', 0, 'join_mode', 'all',
    'lease_until', case when p_state = 'in_progress' then '2026-01-01' end,
    'next_retry_at', case when p_state = 'waiting_for_retry' then '2026-01-01' end,
    'processed_at', case when p_state in ('complete', 'resolved_manually') then '2026-01-01' end
  ) || p_change);
  perform tasker.check_step_row(
    v_row.state, v_row.join_mode, v_row.total_parents, v_row.pending_parents, v_row.satisfied_parents, v_row.claim_no,
    v_row.attempts, v_row.lost_count, v_row.backoff_request_seconds, v_row.next_retry_at, v_row.lease_until,
    v_row.processed_at
  );
  return null;
exception when check_violation then
  get stacked diagnostics v_rule = constraint_name;
  return v_rule;
end;
$$;

select is_empty(
  $$
  select s.state
    from unnest(enum_range(null::tasker.step_state)) as s (state)
   where pg_temp.broken(s.state::text, '{}') is not null
      or pg_temp.broken(s.state::text, '{"backoff_request_seconds": 0}') is not null
  $$,
  'a valid row of each state breaks no rule'
);
select is(pg_temp.broken('enqueued', '{"pending_parents": 1, "join_mode": "first"}'), null, 'a step that joins the first may run before the others have settled');
select is(pg_temp.broken(c.state, c.change::jsonb), 'workflow_steps_' || c.rule || '_check', format('a row that is %s breaks its rule with %s', c.state, c.change))
  from (values
    ('pending',           '{"pending_parents": 2}',          'parents'),
    ('pending',           '{"satisfied_parents": -1}',       'parents'),
    ('enqueued',          '{"pending_parents": 1}',          'runs_after_its_parents'),
    ('in_progress',       '{"pending_parents": 1, "lease_until": "2026-01-01"}', 'runs_after_its_parents'),
    ('enqueued',          '{"pending_parents": 1, "satisfied_parents": 0, "join_mode": "first"}', 'runs_after_its_parents'),
    ('pending',           '{"lost_count": -1}',              'attempts'),
    ('complete',          '{"lease_until": "2026-01-01"}',   'lease'),
    ('resolved_manually', '{"next_retry_at": "2026-01-01"}', 'retry'),
    ('pending',           '{"attempts": -1}',                'attempts'),
    ('pending',           '{"claim_no": -1}',                'attempts'),
    ('in_progress',       '{"lease_until": null}',           'lease'),
    ('enqueued',          '{"lease_until": "2026-01-01"}',   'lease'),
    ('waiting_for_retry', '{"next_retry_at": null}',         'retry'),
    ('pending',           '{"next_retry_at": "2026-01-01"}', 'retry'),
    ('complete',          '{"processed_at": null}',          'processed_at'),
    ('error',             '{"processed_at": "2026-01-01"}',  'processed_at'),
    ('pending',           '{"backoff_request_seconds": -1}', 'backoff'),
    ('pending',           '{"pending_parents": -1}',         'parents')
  ) as c (state, change, rule);

select * from finish();
rollback;
