begin;
select plan(5);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit('test', 'tenant', 2);
select tasker_test.make_limited(5, 'a');
create function pg_temp.explain() returns text language sql as $$
  select x.summary
    from tasker.step_queue as q
   cross join lateral tasker.explain_step(tasker.step_uuid(q.task_uuid, q.step_no)) as x
   where q.lane = 'limited'
   order by q.visible_at desc, q.task_uuid desc
   limit 1
$$;
select is(pg_temp.explain(), 'It is in the queue of namespace "test" and waits for a worker that has handler "pay".', 'a limit with room is not named');
select tasker_test.claim();
select is(pg_temp.explain(), 'It waits for limit "tenant", key "a": 2 of 2 in use, 2 before it.', 'a limit without a free place is named');
select tasker.set_limit('test', 'tenant', null, 2, 60, 1);
select tasker_test.claim();
select is(pg_temp.explain(), 'It waits for limit "tenant", key "a": the next start is at 2026-03-01 12:00:30.000Z, 1 before it.', 'a rate without a free start is named with the next time');
select tasker.pause_namespace('test', 'eve');
select is(pg_temp.explain(), 'It is in the queue, but eve has paused namespace "test".', 'a pause is named before the limit');
select tasker.resume_namespace('test');
select tasker.drop_limit('test', 'tenant');
select is(pg_temp.explain(), 'It is in the queue of namespace "test" and waits for a worker that has handler "pay".', 'a limit without bounds is not named');

select * from finish();
rollback;
