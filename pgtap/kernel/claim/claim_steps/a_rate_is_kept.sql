begin;
select plan(12);

select tasker_test.freeze('2026-03-01 12:00+00');
select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', p_rate => 10, p_burst => 5);
select tasker_test.make_limited(100);
select is((select count(*) from tasker_test.claim()), 5::bigint, 'a claim starts the whole burst at once');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'the next claim starts nothing');
select is(tasker.next_due_at(), '2026-03-01 12:00:00.1+00'::timestamptz, 'the next start is due after a tenth of a second');
select tasker_test.pass('0.1 second');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'one step starts after a tenth of a second');
select tasker_test.pass('0.35 second');
select is((select count(*) from tasker_test.claim()), 3::bigint, 'three steps start after three tenths');
select tasker_test.pass('0.05 second');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'half an interval that has passed is not lost');
select tasker_test.pass('1 minute');
select is((select count(*) from tasker_test.claim()), 5::bigint, 'a pause allows the burst, and not more');
select tasker_test.pass('-1 hour');
select tasker_test.make_limited(100);
select is((select count(*) from tasker_test.claim()), 0::bigint, 'no step starts when the clock is put back by an hour');
select tasker_test.pass('0.1 second');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'starts pause for no longer than the burst takes');

select tasker.set_limit('test', 'stripe', p_rate => 60, p_per_seconds => 60);
select tasker_test.pass('1 hour');
create temporary table starts as select tasker.clock() as at where false;
do $$
begin
  for i in 1 .. 240 loop
    insert into starts select tasker.clock() from tasker_test.claim();
    perform tasker_test.pass('0.25 second');
  end loop;
end;
$$;
select is((select count(*) = 60 from starts), true, 'sixty steps start in a minute');
select is(
  (select max(x.n) <= 60 from (select (select count(*) from starts as b where b.at >= a.at and b.at < a.at + interval '1 minute') as n from starts as a) as x),
  true, 'no minute has more than sixty starts'
);
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
