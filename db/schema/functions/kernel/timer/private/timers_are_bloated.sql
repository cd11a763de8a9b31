create or replace function tasker.timers_are_bloated()
  returns boolean
  language sql
  stable
begin atomic
  select pg_stat_get_dead_tuples('tasker.timers'::regclass) > 10000;
end;

comment on function tasker.timers_are_bloated is
$$Returns whether the timers have so many dead rows, which an old snapshot keeps, that it pays to remember where the live rows begin. By statistics, which are a second old.$$;
