begin;
select plan(6);

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
  (sha256('young'), :'young', null),
  (sha256('expired'), tasker.mint_task_uuid(), tasker.clock()),
  (sha256('expiring'), tasker.mint_task_uuid(), tasker.clock() + interval '1 second');

select is(tasker.gc_identities(), 1, 'an expired identity is deleted');
select tasker.apply_retention();
select tasker.evacuate_partition('2050-01-24 00:00+00');
select is(tasker.gc_identities(1), 1, 'the limit is respected');
select is(tasker.gc_identities(), 1, 'an identity whose range is dropped is deleted if its task was not kept');
select is(tasker.gc_identities(), 0, 'no other identity is deleted');
select set_eq(
  'select identity_hash from tasker.task_identities',
  array[sha256('straggler'), sha256('young'), sha256('expiring')],
  'three identities stay'
);
select tasker_test.pass('1 second');
select is(tasker.gc_identities(), 1, 'an identity is deleted when it expires');

select * from finish();
rollback;
