begin;
select plan(5);

select tasker_test.take_turn();
select tasklib.register_task('tap.one');
select tasklib.register_task('tap.two');

select ok(tasklib.mark_sleeping('w1', '{tap.two,tap.one,tap.one}', 20), 'mark_sleeping returns true while notifications are on');
select results_eq(
  $$ select z.name, z.until - now() between interval '20 seconds' and interval '25 seconds' from tasklib.sleepers as z where z.worker_id = 'w1' order by 1 $$,
  $$ values ('tap.one' collate "C", true), ('tap.two', true) $$,
  'each name is marked once'
);
update tasklib.sleepers as z set until = z.until - interval '2 hours' where z.name = 'tap.two';
select ok(tasklib.mark_sleeping('w1', '{tap.one}'), 'a mark can be renewed');
select results_eq(
  $$ select z.name, z.until - now() between interval '30 seconds' and interval '35 seconds' from tasklib.sleepers as z where z.worker_id = 'w1' $$,
  $$ values ('tap.one' collate "C", true) $$,
  'a mark lasts 30 seconds by default, and an old mark is deleted'
);
select tasklib.set_setting('notify', 'off');
select ok(not tasklib.mark_sleeping('w1', '{tap.one}'), 'mark_sleeping returns false when notifications are off');

select * from finish();
rollback;
