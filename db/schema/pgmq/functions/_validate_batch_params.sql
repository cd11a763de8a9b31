-- down: nothing
create or replace function tasker_pgmq._validate_batch_params(msgs jsonb[], headers jsonb[])
  returns void
  language plpgsql
  immutable
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(cardinality(msgs), 0) = 0 then
    raise exception 'msgs cannot be NULL or empty';
  elsif cardinality(headers) <> cardinality(msgs) then
    raise exception 'headers array length (%) must match msgs array length (%)', cardinality(headers), cardinality(msgs);
  end if;
end;
$$;

comment on function tasker_pgmq._validate_batch_params(jsonb[], jsonb[]) is
$$Raises an exception if there are no messages, or if the number of headers differs from the number of messages.$$;
