begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', p_concurrency => 1000000, p_rate => 1, p_per_seconds => 31536000, p_burst => 1000);
select tasker_test.make_limited(1001);
select is((select count(*) from tasker_test.claim(1000)), 1000::bigint, 'a claim gets the whole burst');
select is_empty('select from tasker_test.claim(1000)', 'the rate allows no more');
select lives_ok($$ select tasker.list_limit_keys('test', 'stripe') $$, 'the key is listed');
select lives_ok($$ select tasker.next_due_at('{test}') $$, 'clients learn when the next step may start');

select * from finish();
rollback;
