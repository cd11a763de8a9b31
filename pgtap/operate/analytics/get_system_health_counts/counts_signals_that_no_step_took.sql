begin;
select plan(3);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.counts() returns text language sql as $$
  select c.kept_signals || ' ' || c.unused_signals from tasker.get_system_health_counts() as c;
$$;
select is(pg_temp.counts(), '0 0', 'it counts no signal at first');
select tasker_test.create_waiting('order', '[{"name": "approve", "await": {"signal": "approved"}}, {"name": "pay", "await": {"signal": "paid"}}]');
select tasker_test.signal('aproved');
select tasker_test.signal('approved');
select is(pg_temp.counts(), '1 0', 'kept_signals counts a signal that an open task has not taken');
select tasker_test.signal('paid');
select is(pg_temp.counts(), '0 1', 'unused_signals counts a signal that an ended task has not taken');

select * from finish();
rollback;
