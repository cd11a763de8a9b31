begin;
select plan(2);

select tasker_test.freeze('2026-11-21 10:00Z');
select tasker_test.make_task_in('complete');
create function pg_temp.log(p_from integer, p_to integer, p_state text) returns void language sql as $$
  insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
  select tasker_test.the_task(), 1, 100 + n, case p_state when 'enqueued_for_orchestration' then 5 else 1001 end,
         tasker.clock() + n * interval '1 millisecond'
    from generate_series(p_from, p_to) as n;
$$;
select pg_temp.log(1, 10000, 'enqueued_for_orchestration');
select pg_temp.log(10001, 10003, 'enqueued_as_error_for_orchestration');
select pg_temp.log(10004, 20000, 'enqueued_for_orchestration');
select tasker.summarize_new_pages();
analyze tasker.step_log;

create function pg_temp.reads(p_success boolean) returns bigint language plpgsql as $$
declare
  v_call text := format($q$ select from tasker.get_audit_by_time_range('2026-11-21 10:00:00.0001Z', p_success => %L, p_limit => 10) $q$, p_success);
begin
  -- The first call also reads the catalogue.
  perform tasker_test.buffers(v_call);
  return tasker_test.buffers(v_call);
end;
$$;
select is((select count(*) from tasker.get_audit_by_time_range('2026-11-21', p_success => false)), 3::bigint, 'three results are failures');
select cmp_ok(pg_temp.reads(false), '<', pg_temp.reads(true), 'failures are found without reading the successes, which have hundreds of pages');

select * from finish();
rollback;
