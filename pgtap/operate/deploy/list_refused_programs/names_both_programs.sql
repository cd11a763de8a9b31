begin;
select plan(9);

select tasker_test.freeze();
set local application_name = 'billing 2.0';
create function pg_temp.template(p_type text)
  returns jsonb
  language sql
as $$
  select jsonb_build_object(
    'namespace', 'shop', 'name', 'order', 'version', '1', 'steps', '[{"name": "pay", "handler": "card"}, {"name": "ship"}]'::jsonb,
    'types', jsonb_build_object('$context', '{}', 'pay', p_type, 'ship', 'int')
  );
$$;
create role tap_second in role tasker_orchestrator;
select tasker.register_task_template(pg_temp.template('{cents:int}'));
select is_empty('select from tasker.list_refused_programs()', 'no program was refused');
select tasker_test.call_as('tap_second', format('select tasker.note_refused_program(%L)', pg_temp.template('string')));
select results_eq(
  $$
  select r.namespace, r.name, r.version, r.handlers, r.registered_types, r.registered_by, r.registered_at = tasker.clock(),
    r.refused_types, r.refused_by, r.program, r.last_refused_at = tasker.clock(), r.refusals
    from tasker.list_refused_programs() as r
  $$,
  format(
    $$ values ('shop', 'order', '1', '{card}'::text[], %L, %L, true, %L, %L, 'billing 2.0', true, 1::bigint) $$,
    tasker.types_digest(pg_temp.template('{cents:int}') -> 'types'), session_user, tasker.types_digest(pg_temp.template('string') -> 'types'),
    format('tap_second (logged in: %s)', session_user)
  ),
  'both programs by their digests, who registered and who was refused, when, and the handler'
);
select matches(
  (select r.finding from tasker.list_refused_programs() as r),
  '^version "1" was refused once to a program with types [0-9a-f]{12} \(billing 2\.0, tap_second \(logged in: .*\), last at .* UTC\): it is registered with types [0-9a-f]{12} \(.*\), handler card: the result of "pay" is \{cents:int\}, not string$',
  'and as a sentence'
);
select results_eq(
  $$ select f.status, f.handler, f.finding from tasker.check_template_change(pg_temp.template('{cents:int}')) as f where f.kind = 'types' order by f.status $$,
  format(
    $$ values ('ok', null, 'the types of version "1" are %s'), ('warn', 'card', %L) $$,
    tasker.types_digest(pg_temp.template('{cents:int}') -> 'types'), (select r.finding from tasker.list_refused_programs() as r)
  ),
  'template check names it'
);
select results_eq(
  $$ select d.status, d.message, d.hint from tasker.check_installation() as d where d.name = 'types' $$,
  format(
    $$ values ('warn', 'shop/order: ' || %L, 'Two programs have one version: register the new types under a new version.') $$,
    (select r.finding from tasker.list_refused_programs() as r)
  ),
  'and so does the doctor'
);
select is_empty($$ select from tasker.list_refused_programs('{}') $$, 'of no namespace there is none');
select tasker.register_namespace('other');
create role tap_reader in role tasker_reader;
select tasker.bind_role('tap_reader', '{other}');
select is(
  tasker_test.call_as('tap_reader', 'select count(*) from tasker.list_refused_programs()'), '0', 'nor for a role that is bound to other namespaces'
);
select throws_ok(
  $$ select tasker_test.call_as('tap_reader', $q$select count(*) from tasker.list_refused_programs('{shop}')$q$) $$, 'TK403', 'role "tap_reader" may not work in namespace "shop"', 'which may not name them'
);
select tasker_test.pass('7 days');
select is_empty('select from tasker.list_refused_programs()', 'after seven days it is no longer listed');

select * from finish();
rollback;
