begin;
select plan(13);

create function pg_temp.fork(p_from text) returns text language plpgsql as $$
begin
  perform set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), p_from)::text, true);
  return tasker_test.states();
end;
$$;
select tasker_test.freeze();
create function pg_temp.make(p_name text, p_done integer) returns void language plpgsql as $$
begin
  perform tasker_test.create_waiting(p_name, '[{"name": "read"},
    {"name": "line", "for_each": "$.lines", "compensate": "undo_line"}, {"name": "sum", "dependencies": ["line", "read"]}]', '{}', '{"lines": [7, 8, 9]}');
  perform tasker_test.run('read');
  perform tasker_test.expand();
  perform tasker_test.finish_instances('line', p_done);
  perform tasker_test.expand();
  perform tasker.cancel_task(tasker_test.the_task());
  perform tasker_test.undo();
  perform tasker_test.run('undo line[' || n || ']') from generate_series(0, p_done - 1) as n;
  perform tasker_test.undo();
end;
$$;

select pg_temp.make('whole', 3);
select matches(tasker_test.states(), '^cancelled: .*line=complete.*undo line.2.=complete', 'a complete map was undone');
select is(pg_temp.fork('sum'), 'waiting_for_dependencies: read=complete line=pending sum=pending', 'the map runs again in a fork');
select tasker_test.expand();
select matches(tasker_test.states(), 'line.0.=enqueued line.1.=enqueued line.2.=enqueued', 'with all of its elements');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.finish_instances('line');
select tasker_test.expand();
select tasker_test.run('sum');
select matches(tasker_test.states(), '^complete', 'the fork completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.make('part', 2);
select matches(tasker_test.states(), '^cancelled: .*line=cancelled.*line.2.=cancelled undo line.0.=complete', 'a part of a map was undone');
select is(pg_temp.fork('sum'), 'waiting_for_dependencies: read=complete line=pending sum=pending', 'the map runs again, if only a part of it was undone');
select tasker_test.expand();
select matches(tasker_test.states(), 'line.0.=enqueued line.1.=enqueued line.2.=enqueued', 'with all of its elements');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.finish_instances('line');
select tasker_test.expand();
select tasker_test.run('sum');
select is(pg_temp.fork('sum'), 'steps_in_process: read=complete line=complete sum=enqueued line[0]=complete line[1]=complete line[2]=complete', 'a map that was not undone is taken over');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
