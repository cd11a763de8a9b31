begin;
select plan(5);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "test", "name": "v", "version": "2.0.0", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "test", "name": "v", "version": "1.0.0", "steps": [{"name": "a"}]}');
create function pg_temp.version_of(p_version text default null)
  returns text
  language plpgsql
as $$
declare
  v_task uuid;
begin
  select m.task_uuid into v_task from tasker.create_task('test', 'v', jsonb_build_object('n', gen_random_uuid()), p_version) as m;
  return (select t.version from tasker.get_task(v_task) as t);
end;
$$;

select is(pg_temp.version_of(), '1.0.0', 'the version that was registered last is taken');
select is(pg_temp.version_of('2.0.0'), '2.0.0', 'a given version is taken');
select tasker.retire_task_template('test', 'v', '1.0.0');
select is(pg_temp.version_of(), '2.0.0', 'a retired version is skipped');
select throws_ok(
  $$ select pg_temp.version_of('1.0.0') $$, 'TK410', 'template "test/v" version 1.0.0 is retired', 'a given version that is retired is refused'
);
select tasker.retire_task_template('test', 'v', '2.0.0');
select throws_ok($$ select pg_temp.version_of() $$, 'TK410', 'template "test/v" version 1.0.0 is retired', 'a template whose versions are all retired is refused');

select * from finish();
rollback;
