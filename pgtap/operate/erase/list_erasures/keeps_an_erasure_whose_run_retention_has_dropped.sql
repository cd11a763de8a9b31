begin;
select plan(3);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days') as old \gset
select from tasker.erase_task(:'old', 'asked for');
select results_eq(
  'select o.outcome from tasker.apply_retention() as o', $$ values ('dropped') $$, 'the range of an erased run is dropped'
);
select results_eq(
  'select e.task_uuid, e.reason, e.dropped from tasker.list_erasures() as e', format($$ values (uuid %L, 'asked for', true) $$, :'old'),
  'its erasure stays, and says that the run was dropped'
);
select is_empty($$ select p from tasker.check_integrity() as p where p.task_uuid is not null $$, 'nothing is wrong with it');

select * from finish();
rollback;
