begin;
select plan(11);

select tasker_test.register('t', 'only');
select results_eq(
  $$ select r.namespace, r.template, r.keep_for, r.set_by from tasker.set_retention('test', null, '2 years', p_actor => 'ann') as r $$,
  $$ values ('test', null::text, '2 years', 'ann') $$, 'the retention of a namespace is set'
);
select isnt_empty($$ select tasker.set_retention('test', 't', '3 years') $$, 'and of a template');
select isnt_empty($$ select tasker.set_retention('test', null, '1 year', 'eve', 'cheaper') $$, 'another interval replaces it');
select results_eq(
  'select r.namespace, r.template, r.keep_for from tasker.list_retentions() as r',
  $$ values ('test', null::text, '1 year'), ('test', 't', '3 years') $$, 'all are listed'
);
select is(
  (select l.reason from tasker.administration_log as l where l.kind = 'retentions' order by l.entry_no desc limit 1), 'cheaper',
  'changes are logged'
);
select is_empty($$ select tasker.set_retention('test', null, null) $$, 'null ends it');
select is((select count(*) from tasker.list_retentions()), 1::bigint, 'the template keeps its own');

select throws_ok(
  $$ select tasker.set_retention('test', null, '1 hour') $$, 'TK422', 'tasks cannot be kept for 01:00:00', 'an hour is refused'
);
select throws_ok(
  $$ select tasker.set_retention('test', 'no', '1 year') $$, 'TK404', 'no template "test/no" is registered', 'an unknown template is refused'
);
select throws_ok($$ select tasker.set_retention('no', null, '1 year') $$, 'TK404', 'namespace "no" does not exist', 'an unknown namespace is refused');
create role tap_reader in role tasker_reader, tasker_orchestrator;
select throws_ok(
  $$ select tasker_test.call_as('tap_reader', $q$select tasker.set_retention('test', null, '1 year')$q$) $$, '42501', 'permission denied for function set_retention',
  'only an operator may set it'
);

select * from finish();
rollback;
