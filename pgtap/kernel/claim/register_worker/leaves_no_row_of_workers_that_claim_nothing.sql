begin;
select plan(6);

select tasker_test.freeze();
select tasker.register_namespace('test');
select is((select count(*) from generate_series(1, 100) cross join lateral tasker.claim_steps('{test}', gen_random_uuid())), 0::bigint, 'claims under new UUIDs find no step');
select is_empty('select * from tasker.workers', 'claims that find nothing leave no row');

insert into tasker.workers (worker_uuid, name, claimed_count, last_seen_at)
values
  ('00000000-0000-0000-0000-0000000000f1', 'has claimed', 1, tasker.clock() - interval '1 year'),
  ('00000000-0000-0000-0000-0000000000f2', 'seen today', 0, tasker.clock() - interval '23 hours'),
  ('00000000-0000-0000-0000-0000000000f3', 'has done nothing', 0, tasker.clock() - interval '25 hours');
select tasker.register_worker(gen_random_uuid(), 'new');
select set_eq(
  'select w.name from tasker.workers as w', '{has claimed,seen today,new}'::text[],
  'a worker that has claimed nothing is deleted after a day'
);

insert into tasker.workers (worker_uuid, name, login)
select gen_random_uuid(), 'idle', case when n <= 9998 then session_user::text else 'tap_other' end from generate_series(1, 10000) as n;
select throws_ok(
  $$ select tasker.register_worker(gen_random_uuid(), 'one too many') $$, 'TK413', '10000 workers of role "postgres" are entered that have claimed nothing', 'a role has at most ten thousand workers that have claimed nothing'
);
select is(tasker.register_worker('00000000-0000-0000-0000-0000000000f1', 'known'), false, 'a known worker may register again');
select ok(
  (select bool_or(w.last_seen_at = tasker.clock()) from tasker.list_workers() as w where w.name = 'known'), 'the known worker is seen'
);

select * from finish();
rollback;
