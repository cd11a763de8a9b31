begin;
select plan(4);

select is(
  tasker.transition_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 3, 7),
  'a5054046-7527-8c1a-a894-0d9f20b53390',
  'it is derived from the key and nothing else'
);
select is_empty(
  $$
  select n
    from generate_series(0, 1000) as n
   where tasker.transition_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', n % 10, n)::text
         !~ '^.{8}-.{4}-8.{3}-[89ab].{3}-.{12}$'
  $$,
  'version and variant are those of a version 8'
);
select is(tasker.transition_uuid(null, 0, 1), null, 'no task, no transition');
select is(tasker.transition_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 0, null), null, 'no number, no transition');

select * from finish();
rollback;
