create or replace function tasker.duration_bin(p_ms bigint)
  returns smallint
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_ms is not null then floor(ln(greatest(p_ms, 0)::double precision + 1) / ln(2::double precision) * 4)
  end::smallint;
end;

comment on function tasker.duration_bin is
$$Returns the class of a duration. A doubling of the duration has four classes, so that the middle of a class differs
from the duration by at most ten percent. Returns null if there is no duration.$$;
