-- Every public function of the room, called by every group, by a role that is bound to nothing, to the event's namespace, and to
-- another.
begin;
select plan(4);

select tasker_test.freeze('2026-11-22 12:00:00+00');
set local tasker.namespaces = '*';
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select e.event_uuid as event from tasker.emit_event('shop', 'paid') as e \gset

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
  ('emit_event', 'tasker.emit_event(''shop'', ''paid'', p_idempotency_key => ''1'')'),
  ('emit_events', 'tasker.emit_events(''shop'', ''{paid}'', p_idempotency_keys => ''{2}'')'),
  ('get_event', format('tasker.get_event(%L)', :'event')),
  ('list_events', 'tasker.list_events(p_limit => 1)'),
  ('list_events, shop', 'tasker.list_events(''shop'', p_limit => 1)');
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
      when c.name like 'emit%' and not g.sends then '42501'
      when c.name = 'list_events' then $2
      else $1
    end
    from groups as g cross join calls as c order by g.name, c.name;
select results_eq('execute answers (''any'')', 'execute expected (''1 rows'', ''1 rows'')', 'a role that is bound to nothing may make its group''s calls');
select results_eq('execute answers (''shop'')', 'execute expected (''1 rows'', ''1 rows'')', 'a role that is bound to the namespace may make its group''s calls');
select results_eq('execute answers (''bank'')', 'execute expected (''TK403'', ''0 rows'')', 'a role that is bound to another namespace is refused');
select is(
  (select string_agg(pg_temp.code('tap_any_operator', t.call), ' ')
     from (values ('tasker.broadcasts'), ('tasker.broadcast_receipts'), ('tasker.broadcast_retries'), ('tasker.waits')) as t (call)),
  '42501 42501 42501 42501', 'no role reads the tables'
);

select * from finish();
rollback;
