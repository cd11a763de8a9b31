begin;
select plan(2);

select tasker_test.freeze();
select tasker.register_task_template('{
  "namespace": "test", "name": "waits", "identity_strategy": "always_unique",
  "steps": [{"name": "answer", "await": [{"signal": "go"}, {"event": "news", "key": "$.key"}, {"for": "30d"}]}]}') is not null as registered;
-- With the least memory, what a statement reads again and again of its own rows is read from a temporary file.
set local work_mem = '64kB';
create function pg_temp.reads(p_tasks integer) returns bigint language plpgsql as $$
declare
  v_plan json;
begin
  execute format(
    'explain (analyze, buffers, timing off, format json)
     select from tasker.create_tasks(''test'', ''waits'', array_fill(''{"key": "a"}''::jsonb, array[%s]))', p_tasks
  ) into v_plan;
  return (v_plan #>> '{0,Plan,Temp Read Blocks}')::bigint;
end;
$$;
select pg_temp.reads(10) >= 0 as warm;
create temporary table reads as select n, pg_temp.reads(n) as blocks from unnest('{1000,4000}'::integer[]) as n;
select cmp_ok(
  (select r.blocks from reads as r where r.n = 4000), '<', 8 * (select r.blocks from reads as r where r.n = 1000),
  'four times the tasks read far less than sixteen times as much'
);
select is((select count(*) from tasker.waits as w), 10020::bigint, 'each task has its waits');

select * from finish();
rollback;
