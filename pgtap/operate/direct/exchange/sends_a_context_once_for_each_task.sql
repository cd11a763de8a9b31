begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c');
select tasker_test.launch('wide');
create function pg_temp.claim(p_known jsonb, p_limit integer) returns jsonb language sql as $$
  select tasker.exchange(jsonb_build_object('worker_uuid', tasker_test.worker(), 'namespaces', '{test}'::text[], 'limit', p_limit)
    || coalesce(jsonb_build_object('known_tasks', p_known), '{}'))::jsonb;
$$;
create temporary table first as select pg_temp.claim('[]', 2) as r;
select is(
  (select r -> 'contexts' from first),
  jsonb_build_object(tasker_test.the_task(), (select t.context from tasker.tasks as t)), 'two steps of a task bring one context'
);
select is((select jsonb_agg(c -> 'context') from first, jsonb_array_elements(r -> 'claimed') as c), '[null, null]', 'the steps have none of their own');
select is(
  pg_temp.claim(jsonb_build_array(tasker_test.the_task()), 1) -> 'contexts', '{}', 'the context of a known task is not sent again'
);
select tasker_test.launch('wide');
select is(
  pg_temp.claim(null, 1) #> '{claimed,0,context}', (select t.context from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), 'without known_tasks each step has its context'
);
select is(pg_temp.claim(null, 0) ? 'contexts', false, 'and there are no contexts');

select * from finish();
rollback;
