begin;
select plan(3);

select tasker_test.freeze();
create function pg_temp.enter(p_reason text) returns void language plpgsql as $$
begin
  perform tasker.create_dlq_entry(tasker_test.make_task(), p_reason);
end;
$$;
select pg_temp.enter('manual_dlq');
select tasker_test.pass('100 minutes');
select pg_temp.enter('worker_unavailable');
select pg_temp.enter('staleness_timeout');
select pg_temp.enter('max_retries_exceeded');
select pg_temp.enter('dependency_cycle_detected');
select results_eq(
  'select q.dlq_reason, q.priority_score from tasker.get_dlq_investigation_queue() as q',
  $$ values ('dependency_cycle_detected', 1000.00), ('max_retries_exceeded', 500.00), ('manual_dlq', 110.00),
            ('staleness_timeout', 100.00), ('worker_unavailable', 50.00) $$,
  'entries are ordered by reason and age'
);
select is((select count(*) from tasker.get_dlq_investigation_queue(2)), 2::bigint, 'the limit is respected');
select tasker.resolve_dlq_entry((select q.dlq_entry_uuid from tasker.get_dlq_investigation_queue() as q limit 1), 'cancelled');
select is((select count(*) from tasker.get_dlq_investigation_queue()), 4::bigint, 'only open investigations are returned');

select * from finish();
rollback;
