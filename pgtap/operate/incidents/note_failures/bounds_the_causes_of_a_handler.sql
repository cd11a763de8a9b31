begin;
select plan(4);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
select tasker_test.launch('order') from generate_series(1, 70);
create temporary table claimed as select c.step_uuid, c.claim_no, row_number() over () as no from tasker_test.claim(70) as c;
select count(*) from tasker.fail_steps(
  array(select c.step_uuid from claimed as c order by c.no), array(select c.claim_no from claimed as c order by c.no),
  array(select 'no account of ' || translate(c.no::text, '0123456789', 'abcdefghij') from claimed as c order by c.no), array_fill(true, array[70])
);
select is(tasker.note_failures(40), 40, 'a call reads as many failures as it may');
select is(tasker.note_failures(40), 30, 'the next call reads the others');
select is((select count(*) from tasker.error_causes), 51::bigint, 'more than 50 new causes of a handler within an hour are one');
select is(
  (select count(*) from tasker.error_steps as s join tasker.error_causes as c on c.fingerprint = s.fingerprint where c.masked = 'many different errors'), 20::bigint,
  'the steps of the causes beyond the bound stand for that one'
);

select * from finish();
rollback;
