begin;
select plan(4);

prepare made as
  select tasker.uuid_generate_v7() as uuid, clock_timestamp() as at
    from generate_series(1, 100);

create temporary table made as execute made;

select is_empty(
  $$ select uuid from made where (uuid::text ~ '^.{8}-.{4}-7.{3}-[89ab].{3}-.{12}$') is not true $$,
  'each UUID has version 7 and its variant'
);
select is_empty(
  $$ select uuid from made where (tasker.uuid_v7_time(uuid) between at - interval '1 second' and at) is not true $$,
  'the first 48 bits are the time, rounded down'
);
select ok((select count(distinct right(uuid::text, 4)) > 90 from made), 'the last bits are random');
select is((select count(distinct uuid) from made), 100::bigint, 'no two UUIDs are equal');

select * from finish();
rollback;
