begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit('test', 'tenant', 5);
select results_eq(
  $$ select k.limit_key, k.concurrency, k.own_bounds, k.bounded_by, k.in_use, k.waiting from tasker.set_limit_key('test', 'tenant', 'premium', 50, p_actor => 'ann') as k $$,
  $$ values ('premium', 50, true, 'ann', 0::bigint, 0::bigint) $$, 'set_limit_key returns the key with its bounds'
);
select tasker_test.make_limited(100, 'premium');
select tasker_test.make_limited(100, 'other');
select tasker_test.make_limited(100);
select tasker_test.claim(1000);
select results_eq(
  $$ select i.key, i.running from tasker_test.in_use as i order by i.key $$,
  $$ values ('', 5::bigint), ('other', 5), ('premium', 50) $$, 'the key has its own bound, other keys that of the limit'
);
select tasker.set_limit_key('test', 'tenant', '', 1);
select tasker.set_limit_key('test', 'tenant', 'other', 7);
select is((select count(*) from tasker_test.claim(1000)), 2::bigint, 'the next claim goes by a raised bound');
select tasker_test.complete_limited(4, '');
select is((select count(*) from tasker_test.claim(1000)), 0::bigint, 'a lowered bound starts none while as many run');
select tasker_test.complete_limited(1, '');
select is((select count(*) from tasker_test.claim(1000)), 1::bigint, 'a lowered bound starts one when none runs');

select tasker.set_limit('test', 'tenant', 6);
select is((select count(*) from tasker_test.claim(1000)), 0::bigint, 'a change of the limit does not concern keys with bounds of their own');
select tasker.set_limit_key('test', 'tenant', 'premium');
select is((select count(*) from tasker_test.claim(1000)), 50::bigint, 'a key without bounds of its own kind runs any number');

select tasker_test.make_limited(3, 'closed');
select tasker.set_limit_key('test', 'tenant', 'closed', 0);
select is((select count(*) from tasker_test.claim(1000)), 0::bigint, 'a concurrency of zero stops the key');
select alike(
  (select tasker.explain_limit(q.task_uuid, q.step_no) from tasker.step_queue as q where q.limit_key = 'closed' limit 1),
  'It waits for limit "tenant", key "closed": 0 of 0 in use, % before it.', 'the explanation names the key''s own bound'
);
select tasker.set_limit_key('test', 'tenant', 'closed', 3);
select is((select count(*) from tasker_test.claim(1000)), 3::bigint, 'a raised bound opens the line although no step runs');

select tasker.set_limit('test', 'tenant');
select tasker.set_limit_key('test', 'tenant', repeat('long', 100), 1);
select tasker_test.make_limited(3, repeat('long', 100));
select is((select count(*) from tasker_test.claim(1000)), 1::bigint, 'a key that is too long for a row is the same key as that of its steps');
select results_eq(
  $$ select k.limit_key, k.own_bounds from tasker.list_limit_keys('test', 'tenant') as k where k.own_bounds order by k.limit_key collate "C" $$,
  $$ select * from (values ('', true), ('closed', true), (tasker.limit_key_of('$', to_jsonb(repeat('long', 100)), null), true), ('other', true), ('premium', true)) as v (key, own) order by v.key collate "C" $$,
  'the list of keys says which have bounds of their own, also without steps'
);
select tasker_test.complete_limited();
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
