begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b a');
create function pg_temp.call(p_sleep jsonb) returns jsonb language sql as $$
  select tasker.exchange_or_sleep(jsonb_build_object(
    'worker_uuid', tasker_test.worker(), 'namespaces', '{test}'::text[], 'limit', 1, 'sleep', p_sleep
  ))::jsonb;
$$;
create temporary table said as select pg_temp.call(null) as r;
select is((select r #>> '{sleep,phase}' from said), 'marked', 'a worker that finds nothing is marked');
select is((select (r #>> '{sleep,ms}')::integer from said), 0, 'and calls again at once');
select results_eq(
  $$ select s.channel, s.sleeper_uuid from tasker.sleepers as s $$,
  $$ values ('tasker_steps_ready.test' collate "C", tasker_test.worker()) $$, 'the mark is that of the worker'
);
update said set r = pg_temp.call(r -> 'sleep');
update said set r = jsonb_set(r, '{sleep,writers}', '[]'); -- Other tests' transactions run beside this one.
select is((select r #>> '{sleep,phase}' from said), 'asleep', 'it may sleep then');
select is((select (r #>> '{sleep,poll_at}')::timestamptz - tasker.clock() from said), interval '5 seconds', 'until the next poll');
select is((select r -> 'claimed' from said), '[]', 'there is nothing to do');

select tasker_test.launch('pair');
select is(pg_temp.call((select r -> 'sleep' from said)) -> 'claimed', '[]', 'before its time and unwoken it does not claim');
select tasker_test.pass('1 second');
select is(
  (pg_temp.call((select r -> 'sleep' from said)) #>> '{sleep,poll_at}')::timestamptz, (select (r #>> '{sleep,poll_at}')::timestamptz from said),
  'and sleeps for the rest of the time'
);
create temporary table woken as select pg_temp.call((select r -> 'sleep' || '{"woken": true}' from said)) as r;
select is((select r #>> '{claimed,0,name}' from woken), 'a', 'a notification lets it claim');
select is((select r ? 'sleep' from woken), false, 'it does not sleep');
select is_empty('select from tasker.sleepers', 'and is no longer marked');

select is(
  tasker.exchange_or_sleep(jsonb_build_object('worker_uuid', tasker_test.worker(), 'namespaces', '{test}'::text[], 'limit', 1, 'results',
    jsonb_build_array(jsonb_build_object('step_uuid', tasker_test.the_step('a'), 'claim_no', 1))))::jsonb #>> '{claimed,0,name}',
  'b', 'results are recorded before a claim'
);
select is(
  tasker.exchange_or_sleep(jsonb_build_object('worker_uuid', tasker_test.worker()))::jsonb, '{"answers": [], "claimed": []}',
  'a call without a limit does not sleep'
);

select * from finish();
rollback;
