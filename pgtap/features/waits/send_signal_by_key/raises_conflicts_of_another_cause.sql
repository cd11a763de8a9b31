begin;
select plan(2);

select tasker_test.freeze();
select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "caller_provided",
  "steps": [{"name": "pay", "await": {"signal": "paid"}}]}');
select from tasker.create_task('test', 'order', '{"order": "A"}', p_identity_key => 'A');
-- As if another session created the task after this one has looked for it: make_tasks meets it, and the first look does not.
select set_config('tap.looks', '0', true);
alter function tasker.task_of_key(text, text, text, text) rename to found_task_of_key;
create function tasker.task_of_key(p_namespace text, p_name text, p_key text, p_version text)
  returns uuid language plpgsql as $$
begin
  perform set_config('tap.looks', (current_setting('tap.looks')::integer + 1)::text, true);
  return case when current_setting('tap.looks')::integer > 1 then tasker.found_task_of_key(p_namespace, p_name, p_key, p_version) end;
end;
$$;
select is(
  (select s.answer from tasker.send_signal_by_key('test', 'order', 'A', 'paid', '{}', 'k', p_start => true, p_context => '{"order": "B"}') as s),
  'delivered', 'the signal is for a task that was created meanwhile with another context'
);
select set_config('tap.looks', '0', true);
create or replace function tasker.check_identity_contexts(p_task_uuids uuid[], p_owners uuid[], p_contexts jsonb[], p_keys text[])
  returns void language plpgsql stable as $$
begin
  raise exception using errcode = 'TK409', message = 'another cause';
end;
$$;
select throws_ok(
  $$ select from tasker.send_signal_by_key('test', 'order', 'A', 'paid', '{}', 'l', p_start => true, p_context => '{"order": "A"}') $$, 'TK409',
  'another cause', 'a conflict of another cause is raised'
);

select * from finish();
rollback;
