begin;
set local client_min_messages = error;
select plan(15);

select tasker_test.freeze();
create temporary table made (no integer, task uuid);
do $$
begin
  for n in 1 .. 5 loop
    insert into made select n, tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
    perform tasker_test.claim('top');
  end loop;
end;
$$;
select tasker_test.poison(m.task) from made as m where m.no = 3;
select tasker_test.pass('1 hour');

select is(tasker.fire_due_timers(), 4, 'the other deadlines fire');
prepare states as select m.no, t.state::text from made as m cross join lateral tasker.get_task(m.task) as t order by m.no;
select results_eq(
  'states', $$ values (1, 'error'), (2, 'error'), (3, 'steps_in_process'), (4, 'error'), (5, 'error') $$, 'the task that fails stays as it was'
);
select results_eq(
  'select m.task_uuid, m.due_at - tasker.clock() from tasker.timers as m',
  $$ select m.task, interval '1 minute' from made as m where m.no = 3 $$, 'its timer is put off for a minute'
);
select is(tasker.fire_due_timers(), 0, 'until then it is not tried');
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select tasker_test.pass('1 minute');
select lives_ok('select from tasker_test.claim()', 'a claim that finds it due does not fail');
select is((select m.due_at - tasker.clock() from tasker.timers as m), interval '1 minute', 'it puts it off again');
select tasker_test.pass('1 minute');
select lives_ok('select tasker_test.orchestrate()', 'orchestrate does not fail');

select tasker_test.cure();
select tasker_test.pass('1 minute');
select is(tasker.fire_due_timers(), 1, 'without the cause it fires');
select results_eq(
  'states', $$ values (1, 'error'), (2, 'error'), (3, 'error'), (4, 'error'), (5, 'error') $$, 'the task fails, too'
);

delete from made;
insert into made select n, tasker_test.create_task(p_deadline => tasker.clock() + interval '1 second') from generate_series(1, 2) as n;
select tasker_test.pass('1 second');
select tasker_test.poison(m.task, '53100') from made as m where m.no = 1;
select is(tasker.fire_due_timers(), 1, 'a full disk stops no other either');
select is((select m.due_at - tasker.clock() from tasker.timers as m), interval '1 second', 'it is tried again in a second');
select tasker_test.pass('1 second');
update tasker_test.poisoned set code = '40001';
select throws_ok('select tasker.fire_due_timers()', '40001', 'poison', 'the caller repeats what could not be serialized');
update tasker_test.poisoned set code = '40P01';
select throws_ok('select tasker.fire_due_timers()', '40P01', 'poison', 'and what deadlocked');
update tasker_test.poisoned set code = '57P01';
select throws_ok('select tasker.fire_due_timers()', '57P01', 'poison', 'a server that shuts down ends the call');

select * from finish();
rollback;
