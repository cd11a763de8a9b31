begin;
select plan(2);

select is_empty($$ select from tasker.check_installation() as f where f.name = 'standby' $$, 'no finding');
select results_eq(
  'select h.standby, h.standby_lag_seconds from tasker.get_system_health_counts() as h',
  'values (false, null::double precision)', 'nor a lag'
);

select * from finish();
rollback;
