begin;
select plan(8);

select tasker_test.take_turn();

create function pg_temp.template(p_types text)
  returns jsonb
  language sql
as $$
  select '{"namespace": "shipping", "name": "order", "steps": [{"name": "a"}, {"name": "b"}]}'::jsonb
      || case when p_types is null then '{}' else jsonb_build_object('types', p_types::jsonb) end
$$;

select lives_ok($$ select tasker.register_task_template(pg_temp.template(null)) $$, 'a program that names no types registers');
select results_eq(
  $$ select r.created from tasker.register_task_template(pg_temp.template('{"a": "integer", "b": "string"}')) as r $$,
  'values (false)', 'types are no part of the content, and can be named later'
);
select throws_ok(
  $$ select tasker.register_task_template(pg_temp.template('{"a": "string"}')) $$,
  'TK409', 'template "shipping/order" version "0.1.0" is registered with other types', 'another type of a result is refused'
);
select lives_ok(
  $$ select tasker.register_task_template(pg_temp.template(v)) from unnest('{null, "{}", "null"}'::text[]) as v $$,
  'no types agree with all types'
);
select lives_ok(
  $$ select tasker.register_task_template(pg_temp.template('{"$context": "{id:string}", "a": "integer"}')) $$,
  'a program may name more'
);
select results_eq(
  $$ select k.types from tasker.named_tasks as k where k.name = 'order' $$,
  $$ values ('{"$context": "{id:string}", "a": "integer", "b": "string"}'::jsonb) $$, 'all types that were named are known'
);
select throws_like(
  $$ select tasker.register_task_template(pg_temp.template('{"$context": "{no:integer}"}')) $$,
  '%is registered with other types', 'the context has a type, too'
);
select throws_ok(
  $$ select tasker.register_task_template(pg_temp.template('{"a": 7}')) $$,
  'TK422', 'types.a: must be a text of at most 500 characters', 'a type is a text'
);

select * from finish();
rollback;
