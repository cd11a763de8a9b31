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
$$Returns the class of a duration: four classes to each doubling, so that the middle of a class is at most ten percent off. Null for none.$$;
