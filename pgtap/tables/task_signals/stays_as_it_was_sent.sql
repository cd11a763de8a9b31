begin;
select plan(13);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "approve", "await": {"signal": "approved"}}, {"name": "ship", "dependencies": ["approve"]}]');
select tasker_test.signal('other', '{"n": 1}');
select tasker_test.signal('approved', '{"n": 2}', 'hook');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select throws_ok('delete from tasker.task_signals', 'TK403', 'rows of tasker.task_signals are never deleted', 'a signal cannot be deleted');
select throws_ok('truncate tasker.task_signals', 'TK403', 'rows of tasker.task_signals are never deleted', 'the table cannot be truncated');
select throws_ok(
  format('delete from %s', (select i.inhrelid::regclass from pg_inherits as i where i.inhparent = 'tasker.task_signals'::regclass limit 1)),
  'TK403', 'rows of tasker.task_signals are never deleted', 'rows of a partition cannot be deleted'
);
select throws_ok(
  $$ update tasker.task_signals set payload = '{"n": 3}' $$,
  'TK403', 'rows of tasker.task_signals never change the columns that they were created with', 'a signal cannot be changed'
);
set local session_replication_role = replica;
select throws_ok('delete from tasker.task_signals', 'TK403', 'rows of tasker.task_signals are never deleted', 'a signal cannot be deleted in replica mode');
set local session_replication_role = origin;

create function pg_temp.altered(p_sql text) returns setof text language plpgsql as $$
begin
  begin
    execute (select string_agg(format('alter table %s disable trigger user', c.oid::regclass), '; ') from pg_class as c
              where c.oid = 'tasker.task_signals'::regclass or c.oid in (select i.inhrelid from pg_inherits as i where i.inhparent = 'tasker.task_signals'::regclass));
    execute p_sql;
    execute (select string_agg(format('alter table %s enable always trigger task_signals_refuse_delete, enable always trigger task_signals_refuse_key_update', c.oid::regclass), '; ')
               from pg_class as c
              where c.oid = 'tasker.task_signals'::regclass or c.oid in (select i.inhrelid from pg_inherits as i where i.inhparent = 'tasker.task_signals'::regclass));
    return query select format('%s: %s', p.object, p.problem) from tasker.check_integrity() as p;
    raise exception 'undo';
  exception when raise_exception then
    null;
  end;
end;
$$;
select set_eq($$ select pg_temp.altered('select') $$, array[]::text[], 'the check of integrity finds nothing if nothing was altered');
select set_eq(
  $$ select pg_temp.altered('delete from tasker.task_signals where signal_no = 1') $$,
  array['task_signals: lacks a signal: the last one is number 2, and there are 1'], 'the check finds a signal that is missing in the middle'
);
select set_eq(
  $$ select pg_temp.altered('delete from tasker.task_signals where signal_no = 2') $$,
  array['task_signals: lacks the signal "approved" that ended a wait'], 'the check finds that the last signal is missing'
);
select set_eq(
  $$ select pg_temp.altered('update tasker.task_signals set payload = ''{"n": 3}'' where signal_no = 2') $$,
  array['task_signals: has signal 2 as taken by a step whose history does not have it'], 'the check finds a changed payload'
);
select set_eq(
  $$ select pg_temp.altered('update tasker.task_signals set step_no = null, consumed_at = null where signal_no = 2') $$,
  array['task_signals: lacks the signal "approved" that ended a wait'], 'the check finds a signal that was taken back'
);
select set_eq(
  $$ select pg_temp.altered('update tasker.task_signals set step_no = 1, consumed_at = sent_at where signal_no = 1') $$,
  array['task_signals: has signal 1 as taken by a step whose history does not have it'], 'the check finds a signal that is marked as taken by a step that did not take it'
);
alter table tasker.task_signals disable trigger task_signals_refuse_delete;
select set_has(
  'select p.object, p.problem from tasker.check_integrity() as p',
  $$ values ('task_signals', 'lacks the enabled trigger task_signals_refuse_delete') $$, 'the check finds a disabled guard'
);

select * from finish();
rollback;
