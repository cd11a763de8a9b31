begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.attributes(p_task_uuid uuid) returns text language sql as $$
  select string_agg(a.name || '=' || (a.value #>> '{}') || coalesce(' of ' || a.step, ''), ', ' order by a.name)
    from tasker.get_task_attributes(array[p_task_uuid]) as a;
$$;
select tasker.register_task_template(
  '{"namespace": "test", "name": "job", "identity_strategy": "always_unique",
    "attributes": {"customer": "$.customer", "status": {"results": {"a": "$.status", "b": "$.status"}}},
    "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}'
);
select task_uuid as old from tasker.create_task('test', 'job', '{"customer": "ann"}') \gset
select tasker.complete_step_by_name(:'old', 'a', '{"status": "one"}');
select tasker.complete_step_by_name(:'old', 'b', '{"status": "two"}');
select is(pg_temp.attributes(:'old'), 'customer=ann, status=two of b', 'the old task');
select tasker.fork_task(:'old', 'b') as new \gset
select is(pg_temp.attributes(:'new'), 'customer=ann, status=one of a', 'a fork has the attributes of its context and of the results that it took over');
select tasker.fork_task(:'old', 'a') as fresh \gset
select is(pg_temp.attributes(:'fresh'), 'customer=ann', 'a fork from the first step has the attributes of its context');

select tasker.register_task_template(
  '{"namespace": "test", "name": "parent", "identity_strategy": "always_unique", "attributes": {"status": {"results": {"start": "$.b.status"}}},
    "steps": [{"name": "start", "task": {"name": "job", "context": {"customer": "$.who"}}}]}'
);
select task_uuid as parent from tasker.create_task('test', 'parent', '{"who": "bob"}') \gset
select count(*) from tasker.claim_steps('{test}', gen_random_uuid(), 100);
select t.task_uuid as child from tasker.list_tasks('test', p_parent_task_uuid => :'parent') as t \gset
select is(pg_temp.attributes(:'child'), 'customer=bob', 'a task that a step starts has them, too');
select is_empty(
  $$ select p.* from tasker.check_integrity() as p where p.object in ('task_attributes', 'tasks') $$, 'check_integrity() agrees'
);

select * from finish();
rollback;
