begin;
select plan(3);

select tasker_test.take_turn();
select tasker.register_namespace('loud', p_notify => 'always');
select tasker.register_namespace('quiet', p_notify => 'off');
select tasker.set_setting('notify', 'asleep') is not null as set;

create temporary view wakeups as select c.status, c.message from tasker.check_installation() as c where c.name = 'wakeups';

select is(
  (select split_part(w.message, ';', 1) from wakeups as w), 'notify is asleep, always in "loud", off in "quiet"',
  'the message has the setting and the namespaces that differ'
);
select is(
  (select w.status from wakeups as w),
  case when current_setting('max_prepared_transactions')::integer > 0 then 'warn' else 'ok' end,
  'the finding is a warning if transactions can be prepared'
);
update tasker.task_namespaces set notify = null;
select tasker.set_setting('notify', 'off') is not null as set;
select results_eq(
  $$ select w.status, w.message from wakeups as w $$, $$ values ('ok', 'notify is off') $$,
  'the finding is ok if nothing notifies'
);

select * from finish();
rollback;
