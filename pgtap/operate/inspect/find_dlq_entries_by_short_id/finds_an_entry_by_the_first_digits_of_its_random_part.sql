begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker.create_dlq_entry(tasker_test.the_task(), 'manual_dlq') as entry \gset
select substr(:'entry', 25, 8) as short_id \gset

select results_eq(format('select tasker.find_dlq_entries_by_short_id(%L)', :'short_id'), format('values (%L::uuid)', :'entry'), 'it finds an entry by eight digits');
select ok(
  exists (select from tasker.find_dlq_entries_by_short_id(upper(left(:'short_id', 4))) as f where f = :'entry'), 'it finds an entry by four digits in capitals'
);
select is_empty(
  format('select tasker.find_dlq_entries_by_short_id(%L)', case when left(:'short_id', 1) = '0' then '1' else '0' end || substr(:'short_id', 2)),
  'other digits find nothing'
);
select throws_ok($$ select tasker.find_dlq_entries_by_short_id('entry') $$, 'TK422', '"entry" is not a short id', 'a text without digits is refused');

create role tap_bound in role tasker_operator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select is_empty(format('select tasker.find_dlq_entries_by_short_id(%L)', :'short_id'), 'a bound role finds no entry of another namespace');
reset role;

select * from finish();
rollback;
