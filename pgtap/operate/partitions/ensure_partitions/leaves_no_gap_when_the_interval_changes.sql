-- The time between the last existing range and the first one of the new interval gets a range of its own.
begin;
select plan(4);

prepare gaps as
  select r.ends_at, r.next
    from (
      select r.ends_at, lead(r.starts_at) over (order by r.starts_at) as next
        from tasker.list_partition_ranges() as r
       where r.starts_at > timestamptz '2049-06-01 00:00:00+00'
    ) as r
   where r.ends_at <> r.next;

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();

-- April ends on a Saturday.
update tasker.partition_config set partition_interval = '7 days';
select tasker_test.pass('95 days');
select ok(tasker.ensure_partitions() > 0, 'ranges of weeks follow those of months');
select is_empty('gaps', 'no gap lies between them');

update tasker.partition_config set partition_interval = '1 month';
select tasker_test.pass('20 days');
select ok(tasker.ensure_partitions() > 0, 'ranges of months follow those of weeks');
select is_empty('gaps', 'no gap lies between them');

select * from finish();
rollback;
