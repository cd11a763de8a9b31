create or replace function tasker.timers_are_bloated()
  returns boolean
  language sql
  stable
begin atomic
  select pg_stat_get_dead_tuples('tasker.timers'::regclass) > 10000;
end;

comment on function tasker.timers_are_bloated is
$$Returns whether tasker.timers has so many dead rows, which an old snapshot keeps, that it is worth remembering where the live rows begin. The answer comes from statistics, which are about a second old.$$;
