-- Twenty thousand identities that stay cost nothing, once the planner has their statistics. Rows that other tests
-- have rolled back are still in the indexes, and both measured calls read them.
begin;
select plan(1);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker.gc_identities();
select tasker_test.buffers('select tasker.gc_identities()') as empty \gset
insert into tasker.task_identities (identity_hash, task_uuid, expires_at)
select sha256(n::text::bytea), tasker_test.task_uuid_at('2050-03-02 11:00+00'), '2060-01-01 00:00+00'
  from generate_series(1, 20000) as n;
analyze tasker.task_identities;
select tasker.gc_identities();

select cmp_ok(
  tasker_test.buffers('select tasker.gc_identities()'), '<', (:empty + 100)::bigint, 'the call reads less than a hundred buffers more'
);

select * from finish();
rollback;
