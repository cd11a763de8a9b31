begin;
select plan(9);

select tasker_test.freeze();
create function pg_temp.template(p_type text, p_version text default '1')
  returns jsonb
  language sql
as $$
  select jsonb_build_object(
    'namespace', 'shop', 'name', 'order', 'version', p_version, 'steps', '[{"name": "pay", "handler": "card"}, {"name": "ship"}]'::jsonb,
    'types', jsonb_build_object('$context', '{}', 'pay', p_type)
  );
$$;
select tasker.register_task_template(pg_temp.template('{cents:int}'));
select is(tasker.note_refused_program(pg_temp.template('{cents:int}')), false, 'a program with the same types is none');
select is(tasker.note_refused_program(pg_temp.template('string') - 'types'), false, 'nor one that names no types');
select is(tasker.note_refused_program(pg_temp.template('string', '2')), false, 'nor a version that is not registered');
select throws_ok(
  $$ select tasker.register_task_template(pg_temp.template('string')) $$,
  'TK409', 'template "shop/order" version "1" is registered with other types', 'another type is refused'
);
select is(tasker.note_refused_program(pg_temp.template('string')), true, 'and noted');
select tasker.note_refused_program(pg_temp.template('string'));
select results_eq(
  $$ select r.types_digest, r.differences, r.refusals from tasker.refused_programs as r $$,
  $$ values (
    tasker.types_digest('{"pay": "string", "$context": "{}"}'), '[{"of": "pay", "registered": "{cents:int}", "named": "string"}]'::jsonb, 2::bigint
  ) $$,
  'a repeat counts'
);
select tasker_test.pass('1 minute');
select from generate_series(1, 12) as n, tasker.note_refused_program(pg_temp.template('type ' || n));
select results_eq(
  $$ select count(*), count(*) filter (where r.types_digest = tasker.types_digest('{"pay": "string", "$context": "{}"}')) from tasker.refused_programs as r $$,
  $$ values (10::bigint, 0::bigint) $$, 'a version keeps the ten that were refused last'
);
select throws_like(
  $$ select tasker.note_refused_program('{"namespace": "shop", "name": "order", "steps": [], "colour": "red"}') $$, '%colour%', 'an invalid template is refused'
);
create role tap_other in role tasker_orchestrator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_other', '{other}');
select throws_ok(
  format($$ select tasker_test.call_as('tap_other', %L) $$, format('select tasker.note_refused_program(%L)', pg_temp.template('string'))),
  'TK403', 'role "tap_other" may not work in namespace "shop"', 'a caller that is bound to other namespaces'
);

select * from finish();
rollback;
