begin;
select plan(1);

select tasker_test.take_turn();
select tasker.register_task_template('{"namespace": "test", "name": "shop", "steps": [
  {"name": "charge", "limit": "stripe"}, {"name": "refund", "limit": "stripe"}, {"name": "mail", "limit": "smtp"}, {"name": "count"}
]}');
select set_eq(
  $$ select l.name, h.handler from tasker.limit_handlers as h join tasker.limits as l on l.limit_no = h.limit_no $$,
  $$ values ('stripe', 'charge'), ('stripe', 'refund'), ('smtp', 'mail') $$, 'each handler has the limits that its steps name'
);

select * from finish();
rollback;
