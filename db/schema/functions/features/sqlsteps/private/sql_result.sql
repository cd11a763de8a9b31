create or replace function tasker.sql_result(
  p_step_uuid  uuid,
  p_claim_no   integer,
  p_result     jsonb,
  p_code       text,
  p_message    text,
  p_since      timestamptz
)
  returns tasker.step_results
  language sql
begin atomic
  select row(
    p_step_uuid, p_claim_no, case when p_code is null then p_result end,
    case when p_code is not null then left(format('%s: %s', p_code, p_message), 65536) end,
    case when p_code is not null then tasker.is_permanent(p_code) end, null::double precision,
    least(extract(epoch from clock_timestamp() - p_since) * 1000, 999999999)::bigint
  )::tasker.step_results;
end;

comment on function tasker.sql_result is
$$Returns the outcome of a SQL step's call in the form in which a worker reports it: the result, or the SQLSTATE and message of the error.$$;
