begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_namespace('test');
select tasker.set_limit('test', 'stripe', 5);
select tasker_test.limited();
select tasker_test.make_limited(3);
select tasker.pause_handler('test', h.handler) from tasker.limit_handlers as h;

select is_empty($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 10) $$, 'no step is taken from the line');
select is(tasker.next_due_at('{test}', p_later => true), null, 'no worker waits for a place');
select tasker.resume_handler('test', h.handler) from tasker.limit_handlers as h;
select results_eq($$ select count(*) from tasker.claim_steps('{test}', tasker_test.worker(), 10) $$, 'values (3::bigint)', 'after the pause all three are');

select * from finish();
rollback;
