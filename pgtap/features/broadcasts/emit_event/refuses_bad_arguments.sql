begin;
select plan(2);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker.register_namespace('test');
create function pg_temp.code(p_call text) returns text language plpgsql as $$
declare
  v_rows  bigint;
  v_state text;
  v_hint  text;
begin
  execute format('select count(*) from tasker.%s as c', p_call) into v_rows;
  return v_rows || ' rows';
exception when others then
  get stacked diagnostics v_state = returned_sqlstate, v_hint = pg_exception_hint;
  return v_state || case when v_hint = '' then ' without a hint' else '' end;
end;
$$;
create temporary table calls (call text, answer text);
insert into calls values
  ('emit_event(null, ''paid'')', 'TK404'),
  ('emit_event('''', ''paid'')', 'TK404'),
  ('emit_event(''no such''''; --'', ''paid'')', 'TK404'),
  ('emit_event(''test'', null)', 'TK422'),
  ('emit_event(''test'', '''')', 'TK422'),
  ('emit_event(''test'', ''$diverged'')', 'TK422'),
  ('emit_event(''test'', repeat(''x'', 129))', 'TK422'),
  ('emit_event(''test'', ''a''''; drop table tasker.tasks; --'')', 'TK422'),
  ('emit_event(''test'', ''paid'', repeat(''x'', 501))', 'TK413'),
  ('emit_event(''test'', ''paid'', ''$.order'')', 'TK422'),
  ('emit_event(''test'', ''paid'', ''$[0].order'')', 'TK422'),
  ('emit_event(''test'', ''paid'', ''k'', to_jsonb(repeat(''x'', 16384)))', 'TK413'),
  ('emit_event(''test'', ''paid'', ''k'', ''{}'', '''')', 'TK422'),
  ('emit_event(''test'', ''paid'', ''k'', ''{}'', repeat(''x'', 501))', 'TK413'),
  ('get_event(null)', 'TK404'),
  ('get_event(''01980000-0000-7000-8000-000000000000'')', 'TK404'),
  ('list_events('''')', '0 rows'),
  ('list_events(''no such''''; --'')', '0 rows'),
  ('list_events(p_name => repeat(''x'', 129))', 'TK413'),
  ('list_events(p_key => repeat(''x'', 501))', 'TK413'),
  ('list_events(p_before_at => now())', 'TK422'),
  ('list_events(p_before_uuid => gen_random_uuid())', 'TK422'),
  ('list_events(p_before_at => ''infinity'', p_before_uuid => gen_random_uuid())', 'TK422'),
  ('list_events(p_limit => 0)', 'TK422'),
  ('list_events(p_limit => 1001)', 'TK422'),
  ('list_waits(p_event => repeat(''x'', 129))', 'TK413');
select results_eq(
  'select c.call, pg_temp.code(c.call) from calls as c order by c.call',
  'select c.call, c.answer::text from calls as c order by c.call', 'each call is answered, or refused with a code and a hint'
);
select is((select count(*) from tasker.broadcasts) + (select count(*) from tasker.timers), 0::bigint, 'a refused call leaves no row behind');

select * from finish();
rollback;
