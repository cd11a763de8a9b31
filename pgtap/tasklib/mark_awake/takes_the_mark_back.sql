begin;
select plan(3);

select tasker_test.take_turn();
select tasklib.register_task('tap.one');
select tasklib.mark_sleeping('w1', '{tap.one}');
select tasklib.mark_sleeping('w2', '{tap.one}');

select ok(tasklib.mark_awake('w1', '{tap.one,tap.two}'), 'mark_awake returns true when it deletes a mark');
select ok(not tasklib.mark_awake('w1', '{tap.one}'), 'it returns false when there is no mark');
select results_eq(
  $$ select z.worker_id from tasklib.sleepers as z where z.worker_id in ('w1', 'w2') $$,
  $$ values ('w2' collate "C") $$,
  'other workers keep their marks'
);

select * from finish();
rollback;
