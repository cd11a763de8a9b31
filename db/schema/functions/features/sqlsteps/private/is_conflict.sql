create or replace function tasker.is_conflict(p_code text, p_conflicts integer)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_code in ('40001', '40P01', '55P03') and p_conflicts < 10;
end;

comment on function tasker.is_conflict is
$$Returns whether a call that ended with this SQLSTATE is repeated without counting as an attempt. Conflicts are a serialization failure, a deadlock and a lock that was not free. At most ten successive conflicts are not counted.$$;
