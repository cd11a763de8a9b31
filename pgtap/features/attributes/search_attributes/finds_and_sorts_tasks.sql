begin;
select plan(27);

select tasker.register_task_template(
  '{"namespace": "test", "name": "job", "identity_strategy": "always_unique",
    "attributes": {"customer": "$.customer", "total": {"type": "number", "context": "$.total"}, "due": {"type": "time", "context": "$.due"}},
    "steps": [{"name": "a"}]}'
);
select tasker.register_task_template('{"namespace": "other", "name": "job", "identity_strategy": "always_unique", "attributes": {"customer": "$.customer", "total": "$.total"}, "steps": [{"name": "a"}]}');
-- Customers x0 to x4, totals 1 to 20, 20 without a total, days of January.
select count(*) from tasker.create_tasks('test', 'job', array(
  select jsonb_strip_nulls(jsonb_build_object('n', i, 'customer', 'x' || i % 5, 'total', case when i <= 20 then i end, 'due', '2026-01-' || lpad((i % 30 + 1)::text, 2, '0')))
    from generate_series(1, 40) as i
));
select count(*) from tasker.create_tasks('other', 'job', '{"{\"customer\": \"x1\", \"n\": 100}"}');
create function pg_temp.found(p_attributes text[], p_sort text default null, p_limit integer default 5, p_before integer default null, p_namespace text default 'test', p_state text default null, p_after uuid default null)
  returns text language sql as $$
  select string_agg(t.context ->> 'n', ' ' order by l.place)
    from (
      select l.task_uuid, row_number() over () as place
        from tasker.list_tasks(
          p_namespace, p_state => p_state, p_attributes => p_attributes, p_sort => p_sort, p_limit => p_limit, p_after => p_after,
          p_before => (select b.task_uuid from tasker.tasks as b where (b.context ->> 'n')::integer = p_before)
        ) as l
    ) as l
    join tasker.tasks as t
      on t.task_uuid = l.task_uuid;
$$;
select is(pg_temp.found('{customer=x1}'), '36 31 26 21 16', 'a value, newest first');
select is(pg_temp.found('{customer=x1}', p_before => 16), '11 6 1', 'the next page');
select is(pg_temp.found('{customer=x1}', p_limit => 3, p_after => '00000000-0000-0000-0000-000000000000'), '1 6 11', 'oldest first');
select is(pg_temp.found('{customer=x1}', p_namespace => null), '100 36 31 26 21', 'in all namespaces');
select is(pg_temp.found('{customer=y}'), null, 'a value that no task has');
select is(pg_temp.found('{total>=18}'), '18 19 20', 'a range, in its order');
select is(pg_temp.found('{total>18}'), '19 20', 'above');
select is(pg_temp.found('{total<=2}'), '1 2', 'at most');
select is(pg_temp.found('{"total<2"}'), '1', 'below');
select is(pg_temp.found('{total>=5,total<=7}'), '5 6 7', 'between');
select is(pg_temp.found('{total=7.0}'), '7', 'numbers are compared as numbers');
select is(pg_temp.found('{due<2026-01-03}'), '30 1 31', 'times are compared as times');
select is(pg_temp.found('{due=2026-01-02T01:00:00+01:00}'), '31 1', 'whatever their offset');
select is(pg_temp.found(null, 'total', 3), '1 2 3', 'a sort');
select is(pg_temp.found(null, '-total', 3), '20 19 18', 'the largest first');
select is(pg_temp.found(null, '-total', 3, 18), '17 16 15', 'the next page begins after its last task');
select is(pg_temp.found(null, 'due', 3, 30), '1 31 2', 'also among equal values');
select is(pg_temp.found('{customer=x1}', '-total'), '16 11 6 1', 'a value and a sort: only tasks that have the attribute');
select is(pg_temp.found('{customer=x1,total>=6}'), '6 11 16', 'a value and a range');
select is(pg_temp.found('{customer=x1}', p_state => 'complete'), null, 'beside other filters');
select is(pg_temp.found('{customer=x1}', p_state => 'open'), '36 31 26 21 16', 'all filters apply');
select is((select s.entries from tasker.preview_selection('tasks', '{"namespace": "test", "attributes": ["customer=x1"]}') as s), 8, 'a selection takes them');

select throws_ok(
  $$ select pg_temp.found('{custom=x}') $$, 'TK422', 'no template declares the attribute "custom" in the namespace "test"', 'an unknown attribute'
);
select throws_ok($$ select pg_temp.found('{total=x}') $$, 'TK422', 'the attribute "total" is a number', 'a value of another type');
select throws_ok($$ select pg_temp.found('{"total ~ 1"}') $$, 'TK422', '"total ~ 1" is no condition on an attribute', 'no condition');
select throws_ok(
  $$ select pg_temp.found(null, 'total', p_namespace => null) $$, 'TK422', 'the attribute "total" has different types in different namespaces', 'two types'
);
select throws_ok(
  $$ select pg_temp.found(null, 'total', p_before => 30) $$, 'TK422',
  format('task %s does not have the attribute of the sort', (select t.task_uuid from tasker.tasks as t where t.context ->> 'n' = '30')), 'a page after a task that has no such attribute'
);

select * from finish();
rollback;
