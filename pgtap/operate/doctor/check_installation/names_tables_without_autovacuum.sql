begin;
select plan(2);

select is(
  (select count(*) from tasker.check_installation() where name = 'autovacuum' and message like '%step_queue%'), 0::bigint,
  'step_queue is not named at first'
);

alter table tasker.step_queue set (autovacuum_enabled = false);
select results_eq(
  $$ select message, status in ('warn', 'fail') from tasker.check_installation() where name = 'autovacuum' $$,
  $$
  values (case current_setting('autovacuum') when 'off' then 'autovacuum is off'
               else 'autovacuum is off for tasker.step_queue' end, true)
  $$,
  'a table without autovacuum is named'
);

select * from finish();
rollback;
