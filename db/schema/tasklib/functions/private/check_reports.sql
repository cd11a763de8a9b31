create or replace function tasklib.check_reports(
  p_worker_id  text,
  p_ids        uuid[],
  p_claim_nos  integer[],
  p_others     integer
)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_worker_id is null
     or cardinality(p_ids) <= 10000 is not true
     or array_ndims(p_ids) > 1
     or cardinality(p_claim_nos) = cardinality(p_ids) is not true
     or p_others <> cardinality(p_ids) then
    raise exception using
      errcode = 'TK422',
      message = 'this is not a valid report about claimed tasks',
      detail  = format('worker %s, %s ids, %s claim numbers', left(p_worker_id, 100), cardinality(p_ids), cardinality(p_claim_nos)),
      hint    = 'Pass the worker and arrays of equal length, at most 10,000: ids, claim numbers, and the function''s other arrays.';
  end if;
end;
$$;

comment on function tasklib.check_reports is
$$Raises TK422 if a report has no worker, or if its arrays of ids and claim numbers differ in length. p_others is the length of another array of the report, which must be the same, or null if that array is absent.$$;
