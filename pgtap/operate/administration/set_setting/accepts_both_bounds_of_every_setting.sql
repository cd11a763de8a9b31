begin;
select plan(3);

select tasker_test.take_turn();

create temporary table numbers as
  select s.name, s.minimum, s.maximum from tasker.list_settings() as s where s.kind in ('integer', 'numeric') order by s.name;

select is_empty(
  $$
  select n.name
    from numbers as n
   cross join lateral tasker.set_setting(n.name, n.minimum::text) as s
   where s is null
  $$,
  'the smallest value of every setting is accepted'
);
select is_empty(
  $$
  select n.name
    from numbers as n
   cross join lateral tasker.set_setting(n.name, n.maximum::text) as s
   where s::numeric is distinct from n.minimum
  $$,
  'the greatest value is accepted, and the smallest returned'
);
select is_empty(
  $$ select n.name from numbers as n where tasker.get_setting(n.name)::numeric is distinct from n.maximum $$,
  'every setting has its greatest value'
);

select * from finish();
rollback;
