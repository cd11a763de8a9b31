-- Whatever the statistics say: no sequential scan of a run table, and one partition for each task.
begin;
select plan(1);

select tasker_test.make_task();

create function pg_temp.scans()
  returns setof text
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
as $$
declare
  v_line text;
begin
  for v_line in explain
    select r.*
      from (select distinct u.task_uuid from unnest(array[tasker_test.the_task()]) as u (task_uuid)) as u
      join tasker.step_readiness() as r
        on r.task_uuid = u.task_uuid
  loop
    if v_line ~ 'Seq Scan|Function Scan on step_readiness' then
      return next v_line;
    end if;
  end loop;
end;
$$;

select is_empty('select pg_temp.scans()', 'the common query is inlined and driven by the tasks');

select * from finish();
rollback;
