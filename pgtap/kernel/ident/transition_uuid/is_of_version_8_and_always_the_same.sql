begin;
select plan(4);

select is(
  tasker.transition_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 3, 7),
  'a5054046-7527-8c1a-a894-0d9f20b53390',
  'the UUID depends only on the key'
);
select is_empty(
  $$
  select n
    from generate_series(0, 1000) as n
   where (
     tasker.transition_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', n % 10, n)::text ~ '^.{8}-.{4}-8.{3}-[89ab].{3}-.{12}$'
   ) is not true
  $$,
  'each UUID has version 8 and its variant'
);
select is(tasker.transition_uuid(null, 0, 1), null, 'it returns null for a null task');
select is(tasker.transition_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 0, null), null, 'it returns null for a null number');

select * from finish();
rollback;
