begin;
select plan(3);

select tasker_test.take_turn();
select tasklib.register_task('tap.one');
select tasklib.mark_sleeping('w1', '{tap.one}');
select tasklib.mark_sleeping('w2', '{tap.one}');

select ok(tasklib.mark_awake('w1', '{tap.one,tap.two}'), 'there was one');
select ok(not tasklib.mark_awake('w1', '{tap.one}'), 'now there is none');
select results_eq(
  $$ select z.worker_id from tasklib.sleepers as z where z.worker_id in ('w1', 'w2') $$,
  $$ values ('w2' collate "C") $$,
  'other workers stay marked'
);

select * from finish();
rollback;
