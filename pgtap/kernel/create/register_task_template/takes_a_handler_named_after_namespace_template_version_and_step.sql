begin;
select plan(4);

select tasker_test.take_turn();

create function pg_temp.template(p_handler text)
  returns jsonb
  language sql
as $$
  select jsonb_build_object(
    'namespace', 'shipping', 'name', 'long', 'version', '1.0.0+build.17',
    'steps', jsonb_build_array(jsonb_build_object('name', 'a', 'handler', p_handler))
  );
$$;

-- The longest namespace, template, version and step, with what stands between them.
select lives_ok(
  format(
    'select tasker.register_task_template(pg_temp.template(%L))',
    repeat('n', 29) || '.' || repeat('t', 64) || ':' || repeat('1', 13) || '+ab' || '.' || repeat('s', 128)
  ),
  'names of the largest lengths form a valid handler'
);
select is(
  (select max(length(h.name)) from tasker.named_steps as h where h.name like 'nnn%'), 240,
  'the handler is stored whole'
);
select throws_ok(
  format('select tasker.register_task_template(pg_temp.template(%L))', repeat('h', 241)),
  'TK422', format('steps[0].handler: cannot be "%s"', repeat('h', 100)), 'a longer handler is refused'
);
select results_eq(
  format('select p.path from tasker.validate_task_template(pg_temp.template(%L)) as p', repeat('h', 241)),
  $$ values ('steps[0].handler') $$, 'the problem names its place'
);

select * from finish();
rollback;
