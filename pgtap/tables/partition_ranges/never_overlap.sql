begin;
select plan(3);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();

select throws_ok(
  $$
  insert into tasker.partition_ranges (starts_at, ends_at, suffix)
  values ('2050-01-31 00:00:00+00', '2050-02-02 00:00:00+00', 'p20500131')
  $$,
  '23P01', null,
  'a range that overlaps another one is refused'
);
select throws_ok(
  $$
  insert into tasker.partition_ranges (starts_at, ends_at, suffix)
  values ('2060-01-02 00:00:00+00', '2060-01-01 00:00:00+00', 'p20600102')
  $$,
  '23514', null,
  'a range that ends before it begins is refused'
);
select throws_ok(
  $$
  insert into tasker.partition_ranges (starts_at, ends_at, suffix)
  values ('2060-01-01 00:00:00+00', '2060-02-01 00:00:00+00', 'p2060; drop')
  $$,
  '23514', null,
  'a suffix that no partition can have is refused'
);

select * from finish();
rollback;
