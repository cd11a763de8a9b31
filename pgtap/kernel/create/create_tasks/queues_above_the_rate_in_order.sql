begin;
select plan(6);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "mail", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
create function pg_temp.make(p_keys text[]) returns text language sql as $$
  select string_agg(c.created::text, ' ' order by c.position)
    from tasker.create_tasks('test', 'mail', array_fill('{}'::jsonb, array[cardinality(p_keys)]), p_identity_keys => p_keys,
      p_throttle_limit => 2, p_throttle_seconds => 20, p_throttle_key => 'ann', p_throttle_wait => true) as c;
$$;
create function pg_temp.waits() returns text language sql as $$
  select string_agg(t.identity_key || ' ' || ceil(extract(epoch from m.due_at - tasker.clock())), ', ' order by m.due_at, t.task_uuid)
    from tasker.timers as m
   cross join lateral (select i.* from (values ('a'), ('b'), ('c'), ('d'), ('e'), ('f')) as k (identity_key)
     join tasker.task_identities as d on d.identity_hash = tasker.task_identity('caller_provided', 'test', 'mail', null, null, k.identity_key) and d.task_uuid = m.task_uuid
     cross join lateral (select k.identity_key, d.task_uuid) as i) as t
   where m.kind = 'start_task' and m.due_at > tasker.clock();
$$;
select is(pg_temp.make('{a,b,c,d}'), 'true true true true', 'a set of four is created');
select is((select count(*) from tasker_test.claim(10)), 2::bigint, 'two start at once');
select is(pg_temp.waits(), 'c 10, d 20', 'the others start in the order of the set');
select is(pg_temp.make('{c,e,a,f}'), 'false true false true', 'a further set finds two of them');
select is(pg_temp.waits(), 'c 10, d 20, e 30, f 40', 'only what is new takes a turn');
select set_config('tasker_test.task', (select min(t.task_uuid::text) from tasker.tasks as t), true);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
