begin;
select plan(3);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
prepare due as select tasker.next_due_at('{test}') - tasker.clock();
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', 10, 1, 30, 1);
select tasker_test.make_limited(2);
select results_eq('execute due', $$ values (interval '0') $$, 'a step that may start returns the current time');
select is((select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 10)), 1::bigint, 'one step starts');
select results_eq('execute due', $$ values (interval '30 seconds') $$, 'the next one may start when the rate allows it, before the lease of the first ends');

select * from finish();
rollback;
