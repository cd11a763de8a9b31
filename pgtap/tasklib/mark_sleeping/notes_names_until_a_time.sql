begin;
select plan(5);

select tasker_test.take_turn();
select tasklib.register_task('tap.one');
select tasklib.register_task('tap.two');

select ok(tasklib.mark_sleeping('w1', '{tap.two,tap.one,tap.one}', 20), 'notifications come');
select results_eq(
  $$ select z.name, z.until - now() between interval '20 seconds' and interval '25 seconds' from tasklib.sleepers as z where z.worker_id = 'w1' order by 1 $$,
  $$ values ('tap.one' collate "C", true), ('tap.two', true) $$,
  'each name once'
);
update tasklib.sleepers as z set until = z.until - interval '2 hours' where z.name = 'tap.two';
select ok(tasklib.mark_sleeping('w1', '{tap.one}'), 'renewed');
select results_eq(
  $$ select z.name, z.until - now() between interval '30 seconds' and interval '35 seconds' from tasklib.sleepers as z where z.worker_id = 'w1' $$,
  $$ values ('tap.one' collate "C", true) $$,
  'for 30 seconds by default; a mark that ended long ago is gone'
);
select tasklib.set_setting('notify', 'off');
select ok(not tasklib.mark_sleeping('w1', '{tap.one}'), 'false says that none come');

select * from finish();
rollback;
