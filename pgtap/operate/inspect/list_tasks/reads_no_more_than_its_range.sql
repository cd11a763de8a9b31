-- Filters without an index read the tasks of the range of time, of the tag or of the state open, whatever stands beside them.
begin;
select plan(16);

select tasker.register_task_template('{"namespace": "test", "name": "job", "identity_strategy": "always_unique", "steps": [{"name": "a", "handler": "test.a"}]}');
select tasker_test.freeze('2026-11-20 12:00:00+00');
select count(*) from tasker.create_tasks('test', 'job', array(select jsonb_build_object('i', i) from generate_series(1, 8000) as i));
set local session_replication_role = replica;
update tasker.tasks as t
   set complete = true, state = 'complete', open_steps = 0, active_steps = 0, completed_at = t.requested_at + interval '1 minute';
update tasker.workflow_steps as s set last_error = 'the connection was refused';
set local session_replication_role = origin;
select tasker_test.freeze('2026-11-22 12:00:00+00');
select count(*) from tasker.create_tasks('test', 'job', array(select jsonb_build_object('i', i) from generate_series(1, 20) as i), p_tags => '{late}');
analyze tasker.tasks, tasker.workflow_steps;

create function pg_temp.reads(p_filter text) returns bigint language plpgsql as $$
declare
  v_call text := format('select * from tasker.list_tasks(%s)', p_filter);
begin
  perform tasker_test.buffers(v_call);
  return tasker_test.buffers(v_call);
end;
$$;
create temporary table filters as
  select f.filter, f.place
    from unnest(array[
      $$ p_error => 'no such error' $$, $$ p_handler => 'test.b' $$, $$ p_step => 'b' $$, $$ p_longer_than => '1 year' $$, $$ p_initiator => 'nobody' $$
    ]) with ordinality as f (filter, place);
select cmp_ok(pg_temp.reads(f.filter || $$, p_requested_after => '2026-11-21 12:00:00+00' $$), '<', 1000::bigint, f.filter || 'in a range')
  from filters as f order by f.place;
select cmp_ok(pg_temp.reads(f.filter || $$, p_state => 'open' $$), '<', 1000::bigint, f.filter || 'of open tasks')
  from filters as f order by f.place;
select cmp_ok(pg_temp.reads(f.filter || $$, p_tags => '{late}' $$), '<', 1000::bigint, f.filter || 'of a tag')
  from filters as f order by f.place;
select diag(f.filter || pg_temp.reads(f.filter)) from filters as f order by f.place;
select is((select count(*) from tasker.list_tasks(p_error => 'Refused', p_limit => 10000)), 8000::bigint, 'without them they find all');

select * from finish();
rollback;
