begin;
select plan(5);

select tasker_test.freeze();
create function pg_temp.bound()
  returns setof text
  language sql
as $$
  select f.status || ' ' || f.tasks || ': ' || f.finding
    from tasker.check_template_change('{"namespace": "test", "name": "order", "version": "2", "steps": [{"name": "pay"}]}') as f where f.kind = 'bound';
$$;
create function pg_temp.create(p_tasks integer)
  returns void
  language sql
as $$
  select count(*) from tasker.create_tasks('test', 'order', array_fill('{}'::jsonb, array[p_tasks]));
$$;
select tasker.register_task_template('{"namespace": "test", "name": "order", "version": "1", "identity_strategy": "always_unique", "steps": [{"name": "pay"}]}');
select pg_temp.create(100);
select is_empty('select pg_temp.bound()', 'a hundred open tasks are all judged');
select pg_temp.create(1);
select results_eq('select pg_temp.bound()', $$ values ('warn 101: only forks of 100 of 101 open tasks were judged') $$, 'forks of the newest hundred');
select pg_temp.create(900);
select results_eq(
  'select pg_temp.bound()',
  $$ values ('warn 1001: only the newest 1000 of 1001 open tasks were judged; only forks of 100 of 1001 open tasks were judged') $$, 'of more than a thousand the newest'
);
select results_eq(
  $$ select f.detail from tasker.check_template_change('{"namespace": "test", "name": "order", "version": "2", "steps": [{"name": "pay"}]}') as f where f.kind = 'bound' $$,
  $$ values ('{"open": 1001, "judged": 1000, "forks": 100, "all_read": true}'::jsonb) $$, 'for programs, too'
);
select results_eq(
  $$ select f.finding from tasker.check_template_change('{"namespace": "test", "name": "order", "version": "2", "steps": [{"name": "pay"}]}') as f where f.kind = 'open_tasks' $$,
  $$ values ('1000 open tasks of version "1" meet the new handlers: pay') $$, 'the other findings count what was judged'
);

select * from finish();
rollback;
