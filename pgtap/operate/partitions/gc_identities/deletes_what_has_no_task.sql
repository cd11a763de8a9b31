begin;
select plan(5);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days') as dropped \gset
select tasker_test.make_old_task('34 days', 'pending') as straggler \gset
select tasker_test.make_old_task('34 days') as evacuated \gset
select tasker_test.make_old_task('1 day') as young \gset
insert into tasker.task_identities (identity_hash, task_uuid, expires_at)
values
  (sha256('dropped'), :'dropped', null),
  (sha256('straggler'), :'straggler', null),
  (sha256('evacuated'), :'evacuated', null),
  (sha256('young'), :'young', tasker.clock());

select tasker.apply_retention();
select tasker.evacuate_partition('2050-01-24 00:00+00');
select is_empty(
  $$ select p.* from tasker.check_integrity() as p where p.problem like 'leads to a task that does not exist%' and p.task_uuid = $$ || quote_literal(:'evacuated'),
  'until then the identity of a task that an evacuation dropped is no damage'
);
select is(tasker.gc_identities(1), 1, 'the limit is respected');
select is(tasker.gc_identities(), 1, 'an identity whose range is dropped is deleted if its task was not kept');
select is(tasker.gc_identities(), 0, 'no other identity is deleted');
select set_eq(
  'select identity_hash from tasker.task_identities',
  array[sha256('straggler'), sha256('young')],
  'the identities of tasks that exist stay, also one that has expired'
);

select * from finish();
rollback;
