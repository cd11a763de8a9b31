begin;
select plan(14);

select tasker_test.freeze();
select tasker_test.register_diamond();
create temporary table made (n integer primary key, task_uuid uuid not null);
do $$
begin
  for n in 1 .. 4 loop
    insert into made values (n, tasker_test.create_task());
    perform tasker_test.pass('1 minute');
    if n < 4 then
      perform tasker_test.claim('top');
      perform tasker_test.fail_for_good('top');
    end if;
    if n = 3 then
      perform tasker.give_up_task(tasker_test.the_task());
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
  execute format('select coalesce(string_agg(m.n || '' '' || r.outcome, '', '' order by m.n), '''') from %s as r join made as m on m.task_uuid = r.task_uuid', p_sql)
    into v_said;
  return v_said;
end;
$$;

select is(pg_temp.said($$ tasker.reset_tasks(null, p_dry_run => true) $$), '1 matched, 2 matched', 'a dry run finds the blocked tasks');
select is(
  (select string_agg(t.state::text, ' ' order by m.n) from made as m cross join lateral tasker.get_task(m.task_uuid) as t),
  'blocked_by_failures blocked_by_failures error steps_in_process', 'a dry run changes no task'
);
select is(pg_temp.said($$ tasker.reset_tasks(null, p_state => 'error', p_dry_run => true) $$), '3 matched', 'p_state finds tasks in error');
select is(pg_temp.said($$ tasker.reset_tasks(null, p_namespace => 'other', p_dry_run => true) $$), '', 'p_namespace filters by namespace');
select is(pg_temp.said($$ tasker.reset_tasks(null, p_name => 'other', p_dry_run => true) $$), '', 'p_name filters by template');
select is(pg_temp.said($$ tasker.reset_tasks(null, p_version => '9', p_dry_run => true) $$), '', 'p_version filters by version');
select is(pg_temp.said($$ tasker.reset_tasks(null, p_tags => '{vip}', p_dry_run => true) $$), '', 'p_tags filters by tag');
select is(
  pg_temp.said($$ tasker.reset_tasks(null, p_requested_after => (select tasker.clock() - interval '3 minutes 30 s'), p_dry_run => true) $$), '2 matched',
  'p_requested_after filters by time'
);
select is(
  pg_temp.said($$ tasker.reset_tasks(null, p_requested_before => (select tasker.clock() - interval '3 minutes 30 s'), p_dry_run => true) $$), '1 matched',
  'p_requested_before filters by time'
);

select is(pg_temp.said($$ tasker.reset_tasks('the bank is back', p_limit => 1, p_actor => 'ann') $$), '1 reset', 'p_limit resets at most one task');
select is(
  pg_temp.said($$ tasker.reset_tasks('the bank is back', p_after => (select m.task_uuid from made as m where m.n = 1), p_actor => 'ann') $$), '2 reset',
  'the next batch begins after p_after'
);
select is(pg_temp.said($$ tasker.reset_tasks('the bank is back', p_state => 'error', p_actor => 'ann') $$), '3 reset', 'a task in error is reset');
select is(
  (select string_agg(concat_ws(' ', t.state, t.failed_steps), ', ' order by m.n) from made as m cross join lateral tasker.get_task(m.task_uuid) as t),
  'steps_in_process 0, steps_in_process 0, steps_in_process 0, steps_in_process 0', 'the tasks continue as after reset_task'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
