begin;
select plan(12);

select tasker_test.freeze();
select tasker_test.register_diamond();
create temporary table made (n integer primary key, task_uuid uuid not null, entry uuid not null);
do $$
declare
  v_task uuid;
begin
  for n in 1 .. 4 loop
    v_task := tasker_test.create_task();
    perform tasker_test.claim('top');
    perform tasker_test.fail_for_good('top');
    insert into made values (n, v_task, tasker.create_dlq_entry(v_task, case when n = 2 then 'worker_unavailable' else 'manual_dlq' end));
    perform tasker_test.pass('1 minute');
    if n = 3 then
      perform tasker.cancel_task(v_task);
    end if;
  end loop;
end;
$$;
create function pg_temp.said(p_sql text)
  returns text
  language plpgsql
as $$
declare
  v_said text;
begin
  execute format('select coalesce(string_agg(m.n || '' '' || r.outcome, '', '' order by m.n), '''') from %s as r join made as m on m.entry = r.dlq_entry_uuid', p_sql)
    into v_said;
  return v_said;
end;
$$;

select is(
  pg_temp.said($$ tasker.requeue_dlq_entries(null, p_dry_run => true) $$), '1 matched, 2 matched, 3 matched, 4 matched', 'a dry run finds the open investigations'
);
select is((select count(*) from tasker.list_dlq_entries('pending')), 4::bigint, 'a dry run ends none');
select is(pg_temp.said($$ tasker.requeue_dlq_entries(null, 'worker_unavailable', p_dry_run => true) $$), '2 matched', 'a dry run filters by reason');
select is(pg_temp.said($$ tasker.requeue_dlq_entries(null, p_namespace => 'other', p_dry_run => true) $$), '', 'a dry run filters by namespace');
select is(pg_temp.said($$ tasker.requeue_dlq_entries('workers are back', 'worker_unavailable') $$), '2 requeued', 'investigations of a reason are requeued');
select is(pg_temp.said($$ tasker.requeue_dlq_entries('workers are back', p_limit => 1) $$), '1 requeued', 'p_limit requeues one');
select is(
  pg_temp.said($$ tasker.requeue_dlq_entries('workers are back', p_after => (select m.entry from made as m where m.n = 1)) $$), '3 ended, 4 requeued',
  'the next batch begins after p_after, and ends the investigation of a cancelled task'
);
select is(
  (select string_agg(t.state::text, ' ' order by m.n) from made as m cross join lateral tasker.get_task(m.task_uuid) as t),
  'steps_in_process steps_in_process cancelled steps_in_process', 'the other tasks continue'
);
select is(
  (select string_agg(d.resolution_status || ' ' || coalesce(d.resolution_notes, '-'), ', ' order by m.n) from made as m cross join lateral tasker.get_dlq_entry(m.entry) as d),
  'manually_resolved workers are back, manually_resolved workers are back, pending -, manually_resolved workers are back', 'the investigations have the notes'
);
select throws_ok($$ select tasker.requeue_dlq_entries(null) $$, 'TK422', 'the reason is missing', 'null notes are refused');
select throws_ok($$ select tasker.requeue_dlq_entries('x', p_limit => 1001) $$, 'TK422', 'a batch of 1001 is not possible', 'a batch that is too large is refused');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
