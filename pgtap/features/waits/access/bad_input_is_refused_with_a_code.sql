begin;
select plan(2);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "version": "1.0.0", "identity_strategy": "caller_provided", "steps": [
  {"name": "approve", "await": {"signal": "approved"}}]}');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "version": "2.0.0", "identity_strategy": "caller_provided", "steps": [
  {"name": "approve", "await": {"signal": "approved", "schema": {"type": "object"}}}]}');
select tasker.retire_task_template('test', 'order', '1.0.0');
select c.task_uuid as task from tasker.create_task('test', 'order', p_identity_key => 'A') as c \gset

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
  ('get_step_wait(null)', 'TK404'),
  ('get_step_wait(''01980000-0000-7000-8000-000000000000'')', 'TK404'),
  ($$get_step_wait('{task}')$$, 'TK404'),
  ('list_signals(null)', 'TK404'),
  ('list_signals(''01980000-0000-7000-8000-000000000000'')', 'TK404'),
  ($$list_signals('{task}', -1)$$, '0 rows'),
  ($$list_signals('{task}', 2147483647)$$, '0 rows'),
  ($$list_signals('{task}', null, 1)$$, '0 rows'),
  ($$list_signals('{task}', 0, null)$$, '0 rows'),
  ($$list_signals('{task}', 0, 65536)$$, 'TK422'),
  ('list_waits('''')', '0 rows'),
  ('list_waits(''no such''''; --'')', '0 rows'),
  ('list_waits(p_task_name => repeat(''x'', 65))', 'TK413'),
  ('list_waits(p_signal => repeat(''x'', 129))', 'TK413'),
  ('list_waits(p_assignee => repeat(''x'', 201))', 'TK413'),
  ('list_waits(p_older_than => ''-1 second'')', 'TK422'),
  ('list_waits(p_older_than => ''1000000 years'')', 'TK422'),
  ('list_waits(p_after_since => ''infinity'', p_after_step => gen_random_uuid())', 'TK422'),
  ('list_waits(p_after_step => gen_random_uuid())', 'TK422'),
  ('list_waits(p_limit => 10001)', 'TK422'),
  ($$send_signal('{task}', 'approved', '"text"')$$, 'TK422'),
  ($$send_signal_by_key(null, 'order', 'A', 'approved')$$, 'TK404'),
  ($$send_signal_by_key('test', null, 'A', 'approved')$$, 'TK404'),
  ($$send_signal_by_key('test', 'order', '', 'approved')$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', repeat('x', 1001), 'approved')$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', 'A', null)$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', 'A', 'approved', '1')$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', 'A', 'x', to_jsonb(repeat('x', 2000000)))$$, 'TK413'),
  ($$send_signal_by_key('test', 'order', 'A', 'x', '{}', '')$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', 'A', 'x', '{}', repeat('x', 1001))$$, 'TK413'),
  ($$send_signal_by_key('test', 'order', 'B', 'x')$$, 'TK404'),
  ($$send_signal_by_key('test', 'order', 'B', 'x', p_start => null)$$, 'TK404'),
  ($$send_signal_by_key('test', 'order', 'B', 'x', p_start => true, p_context => '[1]')$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', 'B', 'x', p_start => true, p_version => '1.0.0')$$, 'TK410'),
  ($$send_signal_by_key('test', 'order', 'B', 'x', p_start => true, p_version => '9.0.0')$$, 'TK404'),
  ($$send_signal_by_key('test', 'order', 'B', 'x', p_start => true, p_priority => 1001)$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', 'B', 'x', p_start => true, p_tags => array[repeat('x', 300)])$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', 'B', 'x', p_start => true, p_initiator => repeat('x', 3000))$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', 'B', 'x', p_start => true, p_headers => '[]')$$, 'TK422'),
  ($$send_signal_by_key('test', 'order', 'B', 'approved', '1', p_start => true)$$, 'TK422');
select results_eq(
  format('select c.call, pg_temp.code(replace(c.call, %L, %L)) from calls as c order by c.call', '{task}', :'task'),
  'select c.call, c.answer::text from calls as c order by c.call', 'each call is answered, or refused with a code and a hint'
);
select results_eq(
  'select (select count(*) from tasker.tasks), (select count(*) from tasker.task_signals)', 'values (1::bigint, 0::bigint)',
  'a refused call leaves neither a signal nor a task'
);

select * from finish();
rollback;
