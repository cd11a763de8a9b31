-- Every public function of the room, called by every group, by a role that is bound to nothing, to the task's namespace, and to
-- another.
begin;
select plan(3);

select tasker_test.freeze('2026-11-22 12:00:00+00');
set local tasker.namespaces = '*';
select from tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "caller_provided", "steps": [
  {"name": "approve", "await": {"signal": "approved"}}]}');
select tasker.register_namespace('bank');
select c.task_uuid as task from tasker.create_task('shop', 'order', p_identity_key => 'A') as c \gset
select tasker.send_signal(:'task', 'early');

create function pg_temp.code(p_role text, p_call text) returns text language plpgsql as $$
declare
  v_rows bigint;
begin
  perform set_config('role', p_role, true);
  execute format('select count(*) from %s as c', p_call) into v_rows;
  perform set_config('role', 'none', true);
  return v_rows || ' rows';
exception when others then
  perform set_config('role', 'none', true);
  return sqlstate;
end;
$$;
create temporary table calls (name text, call text);
insert into calls values
  ('send_signal', format('tasker.send_signal(%L, %L)', :'task', 'other')),
  ('send_signal_by_key', 'tasker.send_signal_by_key(''shop'', ''order'', ''A'', ''other'')'),
  ('send_signal_by_key, start', 'tasker.send_signal_by_key(''shop'', ''order'', ''B'', ''other'', p_start => true)'),
  ('get_step_wait', format('tasker.get_step_wait(tasker.step_uuid(%L, 1))', :'task')),
  ('list_signals', format('tasker.list_signals(%L, 0, 1)', :'task')),
  ('list_waits', 'tasker.list_waits(p_limit => 1)'),
  ('list_waits, shop', 'tasker.list_waits(''shop'', p_limit => 1)');
create temporary table groups (name text, sends boolean);
insert into groups values ('submitter', true), ('worker', true), ('orchestrator', true), ('operator', true), ('reader', false);
do $$
declare
  v_group text;
begin
  for v_group in select g.name from groups as g loop
    execute format('create role tap_any_%1$s in role tasker_%1$s; create role tap_shop_%1$s in role tasker_%1$s; create role tap_bank_%1$s in role tasker_%1$s', v_group);
    perform tasker.bind_role('tap_shop_' || v_group, '{shop}');
    perform tasker.bind_role('tap_bank_' || v_group, '{bank}');
  end loop;
end;
$$;

prepare answers (text) as
  select g.name, c.name, pg_temp.code('tap_' || $1 || '_' || g.name, c.call) from groups as g cross join calls as c order by g.name, c.name;
prepare expected (text, text) as
  select g.name, c.name, case
      when c.name like 'send%' and not g.sends then '42501'
      when c.name = 'list_waits' then $2
      else $1
    end
    from groups as g cross join calls as c order by g.name, c.name;
select results_eq('execute answers (''any'')', 'execute expected (''1 rows'', ''1 rows'')', 'a role that is bound to nothing may make its group''s calls');
select results_eq('execute answers (''shop'')', 'execute expected (''1 rows'', ''1 rows'')', 'a role that is bound to the namespace may make its group''s calls');
select results_eq('execute answers (''bank'')', 'execute expected (''TK403'', ''0 rows'')', 'a role that is bound to another namespace is refused');

select * from finish();
rollback;
