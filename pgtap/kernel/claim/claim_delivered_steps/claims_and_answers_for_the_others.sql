begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c', 'd');
select tasker_test.launch('wide');
select tasker.register_namespace('test', p_transport => 'broker');
select is((select count(*) from tasker.publish_steps('test', 'normal', 2)), 2::bigint, 'two steps are published');
select set_eq(
  $$ select c.name, c.answer::text, c.claim_no, c.lease_until - tasker.clock()
       from tasker.claim_delivered_steps(array[tasker_test.the_step('a'), tasker_test.the_step('c'), tasker_test.the_step('c')], tasker_test.worker(), 30) as c $$,
  $$ values ('a', null::text, 1, interval '30 seconds'), ('c', null, 1, interval '30 seconds') $$,
  'a published and an unpublished step are claimed once each'
);
select results_eq(
  $$ select c.answer::text, c.claim_no from tasker.claim_delivered_steps(array[tasker_test.the_step('a')], tasker_test.worker(2)) as c $$,
  $$ values ('gone', 0) $$, 'a step that has a worker is gone'
);
select results_eq(
  $$ select distinct c.answer::text
       from tasker.claim_delivered_steps(array['01980000-0000-7000-8000-000000000001', tasker_test.the_task(), null]::uuid[], tasker_test.worker()) as c $$,
  $$ values ('gone') $$, 'a step that does not exist is gone'
);
select tasker.pause_namespace('test', 'ann');
select results_eq(
  $$ select c.answer::text from tasker.claim_delivered_steps(array[tasker_test.the_step('b')], tasker_test.worker()) as c $$,
  $$ values ('paused') $$, 'a step of a paused namespace is answered as paused'
);
select tasker.resume_namespace('test');
select tasker_test.pass('31 seconds');
select results_eq(
  $$ select c.name, c.lost_count from tasker.claim_delivered_steps(array[tasker_test.the_step('a')], tasker_test.worker(2)) as c $$,
  $$ values ('a', 1) $$, 'a repeated message takes over a step whose worker was lost'
);
select is_empty($$ select from tasker.claim_delivered_steps(null, tasker_test.worker()) $$, 'a null array claims nothing');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
