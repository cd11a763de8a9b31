begin;
select plan(5);

select tasker_test.freeze('2026-12-01 12:00:00Z');
prepare finding as select c.status, c.message from tasker.check_installation() as c where c.name = 'duties';
select results_eq('finding', $$ values ('ok', 'none is overdue') $$, 'nothing has worked yet');

select tasker.register_worker(gen_random_uuid(), 'one');
select tasker_test.freeze('2026-12-01 12:10:00Z');
select results_eq('finding', $$ values ('ok', 'none is overdue') $$, 'workers have been there for ten minutes');

select tasker_test.freeze('2026-12-01 12:16:00Z');
select matches(
  (select c.message from tasker.check_installation() as c where c.name = 'duties' and c.status = 'warn'),
  '^never done: rollups', 'no worker of a kind that does duties, and no orchestrator'
);

select count(*) from (select tasker.do_duties() from generate_series(1, 20)) as d;
select unalike(
  (select c.message from tasker.check_installation() as c where c.name = 'duties'), '%rollups%', 'the duties of workers are done'
);

select tasker_test.freeze('2026-12-01 13:16:00Z');
select matches(
  (select c.message from tasker.check_installation() as c where c.name = 'duties' and c.status = 'warn'),
  'overdue: .*rollups', 'and have not been done for an hour'
);

select * from finish();
rollback;
