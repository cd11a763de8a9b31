begin;
select plan(4);

select tasker_test.take_turn();
select tasker.ensure_partitions() is not null as made;
prepare finding as
  select f.status, f.message, f.hint from tasker.check_installation() as f where f.name = 'partitions';

create temporary table ranges as
  select max(r.ends_at) as ends_at from tasker.partition_ranges as r;
select is(
  (select status from tasker.check_installation() where name = 'partitions'), 'ok',
  'the finding is ok if enough ranges are ahead'
);

delete from tasker.partition_ranges as r
 where r.ends_at = (select ends_at from ranges);
select results_eq(
  'finding',
  $$
  select 'warn', format('ready until %s, 2 of 3 ranges ahead', max(r.ends_at)),
         'Call tasker.ensure_partitions(), and make sure that maintenance does so every day.'
    from tasker.partition_ranges as r
  $$,
  'a missing range ahead is a warning'
);

delete from tasker.partition_ranges as r
 where r.starts_at <= now()
   and r.ends_at > now();
select results_eq(
  'finding',
  $$
  values ('fail', 'no partition covers the current time, 2 of 3 ranges ahead',
          'Call tasker.ensure_partitions(), and make sure that maintenance does so every day.')
  $$,
  'a missing range for the current time is a failure'
);

delete from tasker.partition_ranges;
select is(
  (select message from tasker.check_installation() where name = 'partitions'),
  'no partition covers the current time, 0 of 3 ranges ahead',
  'the message says so if there is no range at all'
);

select * from finish();
rollback;
