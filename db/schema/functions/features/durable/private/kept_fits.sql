create or replace function tasker.kept_fits(
  p_position  integer,
  p_last      integer,
  p_bytes     bigint,
  p_results   integer,
  p_most      bigint
)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_position = coalesce(p_last, 0) + 1
     and p_position <= p_results
     and p_bytes <= p_most;
end;

comment on function tasker.kept_fits is
$$Returns true if a function whose last kept result is p_last may keep another result at p_position. p_bytes is the total size with this result. A function may keep at most p_results results and p_most bytes.$$;
