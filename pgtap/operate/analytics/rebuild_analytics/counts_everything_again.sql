begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00:30Z');
-- Return only what maintenance has counted.
create or replace function tasker.fresh_since() returns timestamptz language sql stable as $$ select null::timestamptz $$;
select tasker_test.make_task_in(s::text) from unnest(enum_range(null::tasker.task_state)) as s;
select tasker.roll_up();
create temporary table first as select to_jsonb(h) - 'active_connections' - 'oldest_transaction_seconds' as counts from tasker.get_system_health_counts() as h;
update tasker.task_totals set completed = 17;
delete from tasker.step_totals;
delete from tasker.step_rollups;
select isnt_empty($$ select from first as f, tasker.get_system_health_counts() as h where h.complete_tasks <> (f.counts ->> 'complete_tasks')::bigint $$, 'damaged totals give wrong counts');
select is(tasker.rebuild_analytics(), tasker.clock(), 'it counts until now');
select results_eq(
  $$ select to_jsonb(h) - 'active_connections' - 'oldest_transaction_seconds' from tasker.get_system_health_counts() as h $$,
  'select f.counts from first as f', 'the counts are right again'
);

select * from finish();
rollback;
