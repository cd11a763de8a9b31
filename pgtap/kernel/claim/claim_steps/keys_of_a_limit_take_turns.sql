begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit('test', 'tenant', 1000);
select tasker_test.make_limited(500, 'big');
select is((select count(*) from tasker_test.claim(10)), 10::bigint, 'a single key gets all places of a claim');
select tasker_test.make_limited(1, 'small');
select tasker_test.claim(2);
select is((select u.running from tasker_test.in_use as u where u.key = 'small'), 1::bigint, 'a key with one step is served by the next claim');

select tasker_test.make_limited(5, 'c' || i) from generate_series(1, 3) as i;
select tasker_test.pass('1 second');
select tasker_test.claim(8);
select results_eq(
  $$ select u.key, u.running from tasker_test.in_use as u where u.key like 'c%' order by u.key $$,
  $$ values ('c1', 2::bigint), ('c2', 2), ('c3', 2) $$, 'keys get equal parts of a claim'
);
select is((select u.running from tasker_test.in_use as u where u.key = 'big'), 13::bigint, 'a large key gets an equal part, too');

-- One at a time: in eight claims four keys are served twice each.
create temporary table before as select * from tasker_test.in_use;
do $$
begin
  for i in 1 .. 8 loop
    perform tasker_test.pass('1 second');
    perform tasker_test.claim(1);
  end loop;
end;
$$;
select results_eq(
  'select u.key, u.running - b.running from tasker_test.in_use as u join before as b on b.key = u.key where u.waiting > 0 or b.waiting > 0 order by 1',
  $$ values ('big', 2::bigint), ('c1', 2), ('c2', 2), ('c3', 2) $$, 'claims of one step serve the keys in turn'
);
select is((select count(*) from tasker_test.claim(1000)), (500 + 1 + 15 - 10 - 2 - 8 - 8)::bigint, 'later claims get all remaining steps');

select * from finish();
rollback;
