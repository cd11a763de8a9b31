-- A new input of a task (change_task) writes its attributes again: from the input, and from the results that the task has.
begin;
select plan(13);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.attributes(p_task_uuid uuid) returns text language sql as $$
  select string_agg(a.name || '=' || coalesce(a.value #>> '{}', a.problem) || coalesce(' of ' || a.step, ''), ', ' order by a.name)
    from tasker.get_task_attributes(array[p_task_uuid]) as a;
$$;
select tasker.register_task_template(
  '{"namespace": "test", "name": "job", "identity_strategy": "always_unique",
    "attributes": {"customer": "$.customer", "total": {"type": "number", "context": "$.total", "results": {"a": "$.total", "b": "$.total"}}},
    "steps": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}'
);
select c.task_uuid as one from tasker.create_task('test', 'job', '{"customer": "ann", "total": 1}') as c \gset
select c.task_uuid as other from tasker.create_task('test', 'job', '{"customer": "bob", "total": 1}') as c \gset

select tasker.change_task(:'one', p_context => '{"customer": "eve", "total": 2}', p_reason => 'wrong customer');
select is(pg_temp.attributes(:'one'), 'customer=eve, total=2', 'values of the new input');
select is(pg_temp.attributes(:'other'), 'customer=bob, total=1', 'another task keeps its own');
select is(
  array(select t.task_uuid from tasker.list_tasks('test', p_attributes => '{customer=eve}') as t), array[:'one'::uuid], 'the task is found by its new value'
);
select is_empty($$ select from tasker.list_tasks('test', p_attributes => '{customer=ann}') $$, 'and not by its old one');

select tasker.complete_step_by_name(:'one', 'b', '{"total": 20}');
select tasker_test.freeze('2026-11-22 12:00:01+00');
select tasker.complete_step_by_name(:'other', 'b', '{"total": 8}');
select tasker.rerun_step(tasker.step_uuid(:'one', 2), 'wrong', p_results => '{"total": 21}');
select tasker.change_task(:'one', p_context => '{"total": 3}', p_reason => 'no customer');
select is(pg_temp.attributes(:'one'), 'total=21 of b', 'a value that is gone is removed, and a value that a later result set stays');
select tasker.change_task(:'other', p_context => '{"customer": "bob", "total": "many"}', p_reason => 'wrong total');
select is(pg_temp.attributes(:'other'), 'customer=bob, total=8 of b', 'also where the value of the input is none');
select tasker.change_task(:'one', p_priority => 7);
select is(pg_temp.attributes(:'one'), 'total=21 of b', 'a change without an input changes none');
select tasker.change_task(:'one', p_context => '{"customer": {"id": 1}}', p_reason => 'wrong customer');
select is(pg_temp.attributes(:'one'), 'customer=the value is an object, total=21 of b', 'a value of another type is a problem');
select is((select count(*) from tasker.check_integrity()), 0::bigint, 'check_integrity() agrees');

select tasker_test.freeze('2026-11-22 12:00:02+00');
select tasker.complete_step_by_name(:'one', 'a', '{"total": 30}');
select is(pg_temp.attributes(:'one'), 'customer=the value is an object, total=30 of a', 'the next result has the last word');
select tasker.change_task(:'one', p_context => '{"total": 4}', p_reason => 'no customer');
select is(pg_temp.attributes(:'one'), 'total=30 of a', 'of two results the later one stays, whose step has the lower number');
select tasker.complete_step_by_name(:'one', 'c', null);
select tasker.erase_task(:'one', 'asked');
select is(pg_temp.attributes(:'one'), null, 'an erased task has none');
select is((select count(*) from tasker.check_integrity()), 0::bigint, 'and check_integrity() agrees');

select * from finish();
rollback;
