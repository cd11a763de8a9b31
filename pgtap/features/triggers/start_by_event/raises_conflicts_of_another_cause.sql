begin;
select plan(4);

select tasker_test.freeze();
select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "caller_provided",
  "start_on": {"event": "paid", "identity": "$.order"}, "steps": [{"name": "pack"}]}');
select from tasker.create_task('test', 'order', '{"order": "A"}', p_identity_key => 'A');
create function pg_temp.start(p_payload text) returns void language plpgsql as $$
declare
  v_event tasker.broadcasts;
begin
  v_event.namespace := 'test';
  v_event.name := 'paid';
  v_event.key := '';
  v_event.payload := p_payload;
  v_event.event_uuid := gen_random_uuid();
  -- As if the task had come into being after the effects of the event were read.
  perform tasker.start_by_event(row('start', 'order', null, 'starts', 'A', null, p_payload::jsonb, null)::tasker.event_effects, v_event);
end;
$$;
select lives_ok($$ select pg_temp.start('{"order": "A"}') $$, 'a task with the same context is found');
select lives_ok($$ select pg_temp.start('{"order": "A", "n": 2}') $$, 'so is one with another context');
select is((select count(*) from tasker.tasks), 1::bigint, 'neither starts a second task');
create or replace function tasker.check_given_name(p_name text, p_text text, p_limit integer)
  returns void language plpgsql stable as $$
begin
  raise exception using errcode = 'TK409', message = 'another cause';
end;
$$;
select throws_ok($$ select pg_temp.start('{"order": "A"}') $$, 'TK409', 'another cause', 'a conflict of another cause is raised');

select * from finish();
rollback;
