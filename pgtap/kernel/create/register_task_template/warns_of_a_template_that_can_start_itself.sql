begin;
select plan(4);

select tasker_test.take_turn();
create function pg_temp.cycle_of(p_name text, p_task text)
  returns text
  language plpgsql
as $$
begin
  perform tasker.register_task_template(jsonb_build_object(
    'namespace', 'test', 'name', p_name,
    'steps', jsonb_build_array(jsonb_build_object('name', 'kid', 'task', jsonb_build_object('name', p_task)))
  ));
  return (select d.path from tasker.start_cycle('test', p_name) as d (path));
end;
$$;
select is(pg_temp.cycle_of('one', 'leaf'), null, 'a template that starts another cannot start itself');
select is(pg_temp.cycle_of('self', 'self'), 'test/self', 'one that starts itself can');
select is(pg_temp.cycle_of('b', 'a'), null, 'nor can one whose other is not registered');
select is(pg_temp.cycle_of('a', 'b'), 'test/b', 'one that another starts that it starts can');

select * from finish();
rollback;
