begin;
select plan(15);

select tasker_test.freeze();
select tasker_test.register_diamond();
create temporary table made (n integer primary key, task_uuid uuid not null);
do $$
begin
  for n in 1 .. 4 loop
    insert into made values (n, tasker_test.create_task());
    perform tasker_test.pass('1 minute');
  end loop;
  perform tasker_test.claim('top');
  perform tasker.cancel_task((select m.task_uuid from made as m where m.n = 3));
end;
$$;
create function pg_temp.said(p_sql text)
  returns text
  language plpgsql
as $$
declare
  v_said text;
begin
  execute format('select coalesce(string_agg(m.n || '' '' || r.outcome, '', ''), '''') from %s as r join made as m on m.task_uuid = r.task_uuid', p_sql)
    into v_said;
  return v_said;
end;
$$;

select is(pg_temp.said($$ tasker.cancel_tasks(null, 'test', p_dry_run => true) $$), '1 matched, 2 matched, 4 matched', 'a dry run finds the open tasks, the oldest first');
select is(
  (select string_agg(t.complete::text, ' ' order by m.n) from made as m cross join lateral tasker.get_task(m.task_uuid) as t),
  'false false true false', 'a dry run changes no task'
);
select is_empty($$ select from tasker.list_administration('tasks') $$, 'a dry run leaves no entry in the log of administration');
select is(pg_temp.said($$ tasker.cancel_tasks(null, p_name => 'other', p_dry_run => true) $$), '', 'p_name filters by template');
select is(pg_temp.said($$ tasker.cancel_tasks(null, p_version => '9', p_dry_run => true) $$), '', 'p_version filters by version');
select is(pg_temp.said($$ tasker.cancel_tasks(null, p_tags => '{vip}', p_dry_run => true) $$), '', 'p_tags filters by tag');
select is(pg_temp.said($$ tasker.cancel_tasks(null, p_state => 'waiting_for_retry', p_dry_run => true) $$), '', 'p_state filters by state');
select is(
  pg_temp.said($$ tasker.cancel_tasks(null, p_requested_after => (select tasker.clock() - interval '3 minutes 30 s'), p_dry_run => true) $$), '2 matched, 4 matched',
  'p_requested_after filters by time'
);
select is(
  pg_temp.said($$ tasker.cancel_tasks(null, p_requested_before => (select tasker.clock() - interval '3 minutes 30 s'), p_dry_run => true) $$), '1 matched',
  'p_requested_before filters by time'
);

select is(pg_temp.said($$ tasker.cancel_tasks('sold out', 'test', p_limit => 1, p_actor => 'ann') $$), '1 cancelled', 'p_limit cancels at most one task');
select is(
  pg_temp.said($$ tasker.cancel_tasks('sold out', 'test', p_after => (select m.task_uuid from made as m where m.n = 1), p_actor => 'ann') $$),
  '2 cancelled, 4 cancelled', 'the next batch begins after p_after'
);
select results_eq(
  $$ select l.actor, l.reason, count(*) from tasker.task_transition_log as l where l.to_state = 'cancelled' and l.actor = 'ann' group by 1, 2 $$,
  $$ values ('ann', 'sold out', 3::bigint) $$, 'the history of each task has the actor and the reason'
);
select results_eq(
  $$ select a.object, a.namespaces, a.call, a.actor, a.reason, a.becomes from tasker.list_administration('tasks') as a order by a.entry_no $$,
  $$ values ('cancel', '{test}'::text[], 'cancel_tasks', 'ann', 'sold out', '{"namespace": "test", "outcomes": {"cancelled": 1}}'::jsonb),
            ('cancel', '{test}', 'cancel_tasks', 'ann', 'sold out', '{"namespace": "test", "outcomes": {"cancelled": 2}}') $$,
  'the log of administration has one entry for each call'
);
select is(pg_temp.said($$ tasker.cancel_tasks('sold out', 'test') $$), '', 'a repeat finds nothing');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
