begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c');
select tasker_test.launch('wide');
prepare worker as
  select w.name::text collate "C", w.claimed_count, w.last_seen_at = tasker.clock() from tasker.workers as w where w.worker_uuid = tasker_test.worker();
select is_empty('execute worker', 'a worker is unknown before its first claim');
select from tasker_test.claim(2);
select results_eq('execute worker', $$ values (tasker_test.worker()::text collate "C", 2::bigint, true) $$, 'its first claim registers it under its UUID');
select tasker.register_worker(tasker_test.worker(), 'host-1/42');
select tasker_test.pass('1 second');
select from tasker_test.claim(2);
select results_eq('execute worker', $$ values ('host-1/42' collate "C", 3::bigint, true) $$, 'later claims are counted');

select * from finish();
rollback;
