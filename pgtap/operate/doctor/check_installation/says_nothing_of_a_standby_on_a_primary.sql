begin;
select plan(2);

select is_empty($$ select from tasker.check_installation() as f where f.name = 'standby' $$, 'a primary has no finding standby');
select results_eq(
  'select h.standby, h.standby_lag_seconds from tasker.get_system_health_counts() as h',
  'values (false, null::double precision)', 'a primary has no lag'
);

select * from finish();
rollback;
