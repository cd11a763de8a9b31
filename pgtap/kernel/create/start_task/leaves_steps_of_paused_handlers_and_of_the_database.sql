begin;
select plan(5);

select tasker_test.take_turn();
select tasker_test.allow_starts();
select tasker_test.open_shop();
select tasker.register_task_template('{"namespace": "test", "name": "mixed", "identity_strategy": "always_unique", "steps": [
  {"name": "a", "handler": "work"}, {"name": "b", "handler": "mail"}, {"name": "c", "sql": "test_shop.note"}]}');
create function pg_temp.started(p_handlers text[] default null)
  returns text[]
  language sql
as $$
  select array_agg(s.name order by s.name)
    from tasker.start_task('test', 'mixed', '00000000-0000-0000-0000-0000000000c1', '{}', p_handlers) as s
$$;

select is(pg_temp.started(), '{a,b}', 'the worker that names no handlers gets no step that the database runs');
select tasker.pause_handler('test', 'work', p_actor => 'ann');
select is(pg_temp.started(), '{b}', 'nor one whose handler is paused');
select is(pg_temp.started('{work}'), '{null}', 'nor does one that names the handler');
select tasker.resume_handler('test', 'work');
select is(pg_temp.started('{work}'), '{a}', 'the handler goes on');
select is_empty($$ select tasker_test.violations(t.task_uuid) from tasker.tasks as t $$, 'every invariant holds');

select * from finish();
rollback;
