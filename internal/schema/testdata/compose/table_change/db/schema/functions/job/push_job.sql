create or replace function tasker.push_job(p_lane tasker.lane default 'low', p_priority integer default 0)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_job_id bigint;
begin
  insert into tasker.jobs as j (lane, priority)
  values (p_lane, p_priority)
  returning j.job_id into v_job_id;
  return v_job_id;
end;
$$;

comment on function tasker.push_job(tasker.lane, integer) is
  'Adds a job and returns its number.';

revoke all on function tasker.push_job(tasker.lane, integer) from public;
grant execute on function tasker.push_job(tasker.lane, integer) to tasker_operator;
