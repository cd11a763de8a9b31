begin;
select plan(6);

select tasker_test.take_turn();

create function pg_temp.detail_of(p_template jsonb)
  returns text
  language plpgsql
as $$
declare
  v_detail text;
begin
  perform tasker.register_task_template(p_template);
  return null;
exception when sqlstate 'TK409' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail;
end;
$$;

select tasker.register_task_template('{"namespace": "shipping", "name": "order", "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}');

select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "shipping", "name": "order", "steps": [{"name": "a"}, {"name": "b"}]}') $$,
  'TK409', 'template "shipping/order" version "0.1.0" is registered with other content',
  'a template with one dependency less is refused'
);
select is(
  pg_temp.detail_of('{"namespace": "shipping", "name": "order", "steps": [{"name": "a"}, {"name": "b"}]}'),
  'step "b" dependencies is ["a"], not [].',
  'the detail names the dependency'
);
select is(
  pg_temp.detail_of('{"namespace": "shipping", "name": "order", "on_failure": "halt", "description": "New.", "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}'),
  'description is absent, not New.; on_failure is continue, not halt.',
  'the detail names fields of the template'
);
select is(
  pg_temp.detail_of('{"namespace": "shipping", "name": "order", "steps": [{"name": "a"}, {"name": "c", "dependencies": ["a"]}]}'),
  'step "b" is at position 2, not absent; step "c" is absent, not at position 2.',
  'the detail names an added and a removed step'
);
select matches(
  pg_temp.detail_of('{"namespace": "shipping", "name": "order", "steps": [{"name": "p"}, {"name": "q"}, {"name": "r"}, {"name": "s"}]}'),
  '; and 1 more\.$',
  'the detail names at most five differences'
);
select results_eq(
  $$ select r.created from tasker.register_task_template('{"namespace": "shipping", "name": "order", "version": "0.2.0", "steps": [{"name": "a"}, {"name": "b"}]}') as r $$,
  'values (true)',
  'the same content is accepted under a new version'
);

select * from finish();
rollback;
