begin;
select plan(10);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "pay", "await": {"event": "paid"}}]');
select tasker_test.fire_notes();
select tasker_test.emit('paid', '{"n": 1}');
select throws_ok(
  $$ update tasker.broadcasts set payload = '{"n": 3}' $$,
  'TK403', 'rows of tasker.broadcasts never change the columns that they were created with', 'the payload of an event cannot be changed'
);
set local session_replication_role = replica;
select throws_ok($$ update tasker.broadcasts set key = 'x' $$, 'TK403', 'rows of tasker.broadcasts never change the columns that they were created with', 'the key of an event cannot be changed in replica mode');
set local session_replication_role = origin;
create function pg_temp.altered(p_change text) returns text[] language plpgsql as $$
declare
  v_found text[];
begin
  begin
    alter table tasker.broadcasts disable trigger broadcasts_refuse_key_update;
    execute p_change;
    alter table tasker.broadcasts enable always trigger broadcasts_refuse_key_update;
    v_found := array(select p.object || ': ' || regexp_replace(p.problem, '[0-9a-f-]{36}', 'EVENT') from tasker.check_integrity() as p);
    raise exception using errcode = 'P0099';
  exception when sqlstate 'P0099' then
    return v_found;
  end;
end;
$$;
select is(pg_temp.altered('select'), '{}', 'the check of integrity finds nothing while the event is being delivered');
select is(pg_temp.altered('delete from tasker.timers'), array['broadcasts: lacks the note of event EVENT, which has not come to all waits'], 'the check finds an event without a note');
select is(
  pg_temp.altered('delete from tasker.waits'), array['waits: lacks event "paid" of a step that waits for it'], 'the check finds a deleted wait'
);
select tasker_test.fire_notes();
select is(pg_temp.altered('select'), '{}', 'the check of integrity finds nothing after the event was delivered');
select is(
  pg_temp.altered('delete from tasker.broadcast_receipts'), array['broadcast_receipts: lacks the receipt of event "paid" that ended a wait'], 'the check finds a deleted receipt'
);
select is(
  pg_temp.altered('update tasker.broadcasts set payload = ''{"n": 2}'''),
  array['broadcast_receipts: has event EVENT as taken by a step whose history does not have it'], 'the check finds a changed payload'
);
select is(
  pg_temp.altered('update tasker.broadcasts set delivered_at = null'), array['broadcasts: lacks the note of event EVENT, which has not come to all waits'], 'the check finds a delivery that was taken back'
);
alter table tasker.broadcasts disable trigger broadcasts_refuse_key_update;
select results_eq(
  'select p.object, p.problem from tasker.check_integrity() as p where p.problem not like ''differs from what%''',
  $$ values ('broadcasts', 'lacks the enabled trigger broadcasts_refuse_key_update') $$, 'the check finds a disabled guard'
);

select * from finish();
rollback;
