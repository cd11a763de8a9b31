-- Each way to create a task writes the attributes of its context, and each way to complete a step those of its result.
begin;
select plan(18);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.attributes(p_task_uuid uuid) returns text language sql as $$
  select string_agg(a.name || '=' || coalesce(a.value #>> '{}', a.problem) || coalesce(' of ' || a.step, ''), ', ' order by a.name)
    from tasker.get_task_attributes(array[p_task_uuid]) as a;
$$;
select tasker.register_task_template(
  '{"namespace": "test", "name": "job", "identity_strategy": "always_unique",
    "attributes": {"customer": "$.customer.id", "total": {"type": "number", "context": "$.total", "results": {"a": "$.total", "b": "$.total"}},
                   "due": {"type": "time", "context": "$.due"}},
    "steps": [{"name": "a"}, {"name": "b"}, {"name": "c", "dependencies": ["a"]}]}'
);
create function pg_temp.job(p_context jsonb) returns uuid language sql as $$ select c.task_uuid from tasker.create_task('test', 'job', p_context) as c; $$;

select pg_temp.job('{"customer": {"id": "ann"}, "total": 12.50, "due": "2026-12-24T18:00:00+01:00"}') as one \gset
select is(pg_temp.attributes(:'one'), 'customer=ann, due=2026-12-24T17:00:00+00:00, total=12.50', 'create_task');
select is(
  array(select pg_temp.attributes(c.task_uuid) from tasker.create_tasks('test', 'job', array['{"customer": {"id": 1}}', '{"total": 2}', '{}']::jsonb[]) as c order by c.task_uuid),
  array['customer=1', 'total=2', null], 'create_tasks: a path without a value leaves no attribute'
);
select is(
  (select pg_temp.attributes(c.task_uuid) from tasker.create_task('test', 'job', '{"customer": {"id": "x"}}', p_start_at => '2026-11-23 12:00:00+00') as c),
  'customer=x', 'a task that starts later has them at once'
);
select tasker.register_task_template('{"namespace": "test", "name": "keyed", "runs": {"key": "$.k"}, "attributes": {"customer": "$.k"}, "steps": [{"name": "a"}]}');
select is(
  (select pg_temp.attributes(c.task_uuid) from tasker.create_task('test', 'keyed', '{"k": "x"}') as c), 'customer=x', 'so does a task of a template with runs'
);
select tasker.register_task_template('{"namespace": "test", "name": "empty", "attributes": {"customer": "$.k"}, "steps": []}');
select is((select pg_temp.attributes(c.task_uuid) from tasker.create_task('test', 'empty', '{"k": "x"}') as c), 'customer=x', 'and a task without steps');

-- A value that does not convert is a problem of the attribute, not of the creation.
select is(
  pg_temp.attributes(pg_temp.job('{"customer": {"id": {"a": 1}}, "total": "many", "due": "tomorrow"}')),
  'customer=the value is an object, due="tomorrow" is no time with its offset, such as 2026-12-24T18:00:00Z, and no date, total="many" is no number',
  'values of another type'
);
select is(pg_temp.attributes(pg_temp.job('{"total": "17", "due": "2026-02-30"}')), 'due="2026-02-30" is no time, total=17', 'a number in a text, a day that does not exist');
select is(pg_temp.attributes(pg_temp.job('{"total": null}')), null, 'a null is no value');
select is(
  pg_temp.attributes(pg_temp.job(jsonb_build_object('customer', jsonb_build_object('id', repeat('x', 501)), 'total', ('1' || repeat('0', 3000))::numeric))),
  'customer=the value has 501 characters; a text has at most 500, total=the value has 3001 characters; a number has at most 100', 'values that are too long for an index'
);

-- Steps.
select tasker.complete_step_by_name(:'one', 'a', '{"total": 20}');
select is(pg_temp.attributes(:'one'), 'customer=ann, due=2026-12-24T17:00:00+00:00, total=20 of a', 'a result changes an attribute');
select tasker.complete_step_by_name(:'one', 'c', '{"total": 99}');
select is(pg_temp.attributes(:'one'), 'customer=ann, due=2026-12-24T17:00:00+00:00, total=20 of a', 'a step that is no source changes none');
select tasker.complete_step_by_name(:'one', 'b', '{}');
select is(pg_temp.attributes(:'one'), 'customer=ann, due=2026-12-24T17:00:00+00:00, total=20 of a', 'neither does a result without the value');
select tasker.rerun_step(tasker.step_uuid(:'one', 1), 'wrong');
select tasker.complete_step_by_name(:'one', 'a', '{"total": 21}');
select is(pg_temp.attributes(:'one'), 'customer=ann, due=2026-12-24T17:00:00+00:00, total=21 of a', 'a corrected result changes it again');
select tasker.rerun_step(tasker.step_uuid(:'one', 1), 'wrong again', p_results => '{"total": 22}');
select is(pg_temp.attributes(:'one'), 'customer=ann, due=2026-12-24T17:00:00+00:00, total=22 of a', 'so does a result that an operator gives');

-- One call that completes both steps: the later step wins, by key and by set.
select pg_temp.job('{}') as two \gset
create temporary table claims as
  select c.* from tasker.claim_steps('{test}', gen_random_uuid(), 100) as c;
select is(
  (select count(*) from claims as c where c.task_uuid = :'two'), 2::bigint, 'both steps run'
);
select from tasker.complete_steps(
  array(select c.step_uuid from claims as c where c.task_uuid = :'two' order by c.step_no),
  array(select c.claim_no from claims as c where c.task_uuid = :'two' order by c.step_no),
  array['{"total": 1}', '{"total": 2}']::jsonb[]
);
select is(pg_temp.attributes(:'two'), 'total=2 of b', 'of two results of one call the later step has the last word');

-- A later version declares others: each task keeps the attributes of its own version.
select tasker.register_task_template(
  '{"namespace": "test", "name": "job", "version": "2", "identity_strategy": "always_unique", "attributes": {"region": "$.region"}, "steps": [{"name": "a"}, {"name": "b"}]}'
);
select is(pg_temp.attributes(pg_temp.job('{"customer": {"id": "ann"}, "region": "eu"}')), 'region=eu', 'a task of the new version');
select is(
  (select count(*) from tasker.check_integrity() as p where p.object in ('task_attributes', 'tasks')), 0::bigint, 'check_integrity() agrees'
);

select * from finish();
rollback;
