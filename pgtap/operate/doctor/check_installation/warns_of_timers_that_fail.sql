begin;
set local client_min_messages = error;
select plan(7);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
create temporary view timers as
  select c.status, regexp_replace(c.message, '[0-9a-f-]{36}', 'UUID') as message from tasker.check_installation() as c where c.name = 'timers';
select results_eq('select * from timers', $$ values ('ok', 'none fails') $$, 'the finding is ok without timers');
select tasker_test.register('one', 'a');
select tasker_test.launch('one');
select from tasker_test.claim();
select tasker_test.fail('a');
select tasker_test.poison();
select tasker_test.pass('1 hour');
select is(tasker.fire_due_timers(), 0, 'the retry of a step fails');
select is((select t.status from timers as t), 'warn', 'the finding warns');
select matches((select t.message from timers as t), '^timer retry_step of UUID failed 1 times, last at 2026-03-01 13:00:00Z: ', 'it names the timer, its time and its error');
select tasker_test.pass('2 minutes');
select tasker.fire_due_timers();
select matches((select t.message from timers as t), 'failed 2 times', 'it counts the failures');
select tasker_test.cure();
select tasker_test.pass('2 minutes');
select is(tasker.fire_due_timers(), 1, 'without the cause the timer fires');
select results_eq('select * from timers', $$ values ('ok', 'none fails') $$, 'and the finding is ok');

select * from finish();
rollback;
