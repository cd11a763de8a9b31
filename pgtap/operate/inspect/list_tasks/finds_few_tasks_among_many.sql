-- A filter that few tasks match, or none, does not read the others.
begin;
select plan(9);

select tasker_test.make_task_in('error') as failed \gset
select tasker_test.make_task_in('cancelled') as cancelled \gset
select tasker.register_task_template('{"namespace": "test", "name": "unused", "identity_strategy": "always_unique", "steps": [{"name": "top"}]}') as _ \gset
create function pg_temp.reads(p_filter text)
  returns bigint
  language plpgsql
as $$
declare
  v_call text := format('select * from tasker.list_tasks(%s)', p_filter);
begin
  perform tasker_test.buffers(v_call);
  return tasker_test.buffers(v_call);
end;
$$;
create temporary table before as
  select f.filter, pg_temp.reads(f.filter) as buffers
    from unnest(array[
      $$ p_state => 'error' $$, $$ p_state => 'resolved_manually' $$, $$ p_tags => '{customer-20}' $$, $$ p_tags => '{nothing}' $$,
      $$ 'test', 'unused' $$, $$ 'nowhere' $$
    ]) as f (filter);
create function pg_temp.compared(p_filter text)
  returns text
  language sql
as $$
  select case when n.buffers < b.buffers + 150 then 'little' else format('%s buffers, %s before', n.buffers, b.buffers) end
    from before as b
   cross join (select pg_temp.reads(p_filter) as buffers) as n
   where b.filter = p_filter;
$$;
set local session_replication_role = replica;
insert into tasker.tasks (task_uuid, named_task_uuid, state, complete, total_steps, transition_count, completed_at, correlation_id, tags)
select tasker.task_uuid_of(tasker.uuid_generate_v7()), t.named_task_uuid, 'complete', true, 1, 2, t.requested_at, t.correlation_id,
       case when n % 10 = 0 then array['web', 'customer-' || n] else '{}' end
  from tasker.tasks as t
 cross join generate_series(1, 20000) as n
 where t.task_uuid = :'failed';
set local session_replication_role = origin;
analyze tasker.tasks;

select results_eq($$ select task_uuid from tasker.list_tasks(p_state => 'error') $$, format('select %L::uuid', :'failed'), 'a failed task is found');
select is(pg_temp.compared($$ p_state => 'error' $$), 'little', 'failed tasks are found without reading the others');
select results_eq(
  $$ select task_uuid from tasker.list_tasks('test', 'diamond', p_state => 'cancelled') $$, format('select %L::uuid', :'cancelled'), 'a cancelled task of a template is found'
);
select is(pg_temp.compared($$ p_state => 'resolved_manually' $$), 'little', 'a query for a state that no task has reads few buffers');
select results_eq($$ select tags from tasker.list_tasks(p_tags => '{customer-20}') $$, $$ values ('{web,customer-20}'::text[]) $$, 'a tag is found');
select is(pg_temp.compared($$ p_tags => '{customer-20}' $$), 'little', 'a tag is found without reading the other tasks');
select is(pg_temp.compared($$ p_tags => '{nothing}' $$), 'little', 'a query for a tag that no task has reads few buffers');
select is(pg_temp.compared($$ 'test', 'unused' $$), 'little', 'a query for a template without tasks reads few buffers');
select is(pg_temp.compared($$ 'nowhere' $$), 'little', 'a query for an unknown namespace reads few buffers');

select * from finish();
rollback;
