begin;
select plan(2);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days', 'pending');
select tasker_test.make_old_task('34 days');
select tasker_test.make_old_task('7 days');
update tasker.partition_ranges set retry_at = tasker.clock() + interval '1 hour', busy_count = 1
 where suffix = 'p20500131';

select results_eq(
  $$ select suffix, status, detail from tasker.partition_sizes() where starts_at < '2050-03-10' $$,
  $$
  values
    ('p20500117', 'held',    'tasks: 1 not ended'),
    ('p20500124', 'expired', null),
    ('p20500131', 'busy',    'retention tries again at 2050-03-02 13:00:00+00'),
    ('p20500207', 'kept',    null),
    ('p20500221', 'kept',    null),
    ('p20500228', 'current', null),
    ('p20500307', 'ahead',   null)
  $$,
  'each range has its status, from the oldest to those ahead'
);
select results_eq(
  'select suffix, bytes from tasker.partition_sizes() order by suffix',
  $$
  select r.suffix, sum(pg_total_relation_size(i.inhrelid))::bigint
    from tasker.partitioned_tables as t
    join pg_inherits as i on i.inhparent = format('tasker.%I', t.table_name)::regclass
    join pg_class as c on c.oid = i.inhrelid
    join tasker.partition_ranges as r on c.relname = t.table_name || '_' || r.suffix
   group by r.suffix
   order by r.suffix
  $$,
  'the size of each range is that of its partitions with their indexes'
);

select * from finish();
rollback;
