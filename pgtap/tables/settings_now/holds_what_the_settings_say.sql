begin;
select plan(6);

select tasker_test.take_turn();
prepare differences as select * from tasker.settings_now except select * from tasker.current_settings();
select is_empty('differences', 'as it was installed');

select tasker.set_setting('lease_seconds', '17');
select tasker.set_setting('backoff_jitter', '0.5');
select results_eq(
  'select c.lease_seconds, c.backoff_jitter from tasker.settings_now as c', 'values (17, 0.5)', 'a setting that is changed is there'
);

select tasker.register_namespace('tap_now', p_result_mode => 'deferred');
select ok((select c.any_deferred from tasker.settings_now as c), 'so is a namespace with deferred results');
select tasker.register_namespace('tap_now', p_result_mode => 'immediate');
select is_empty('differences', 'and one that is so no more');

create role tap_bound;
select tasker.bind_role('tap_bound', '{tap_now}');
select ok((select c.any_bound from tasker.settings_now as c), 'so is a role that is bound');
select tasker.bind_role('tap_bound', null);
select is_empty('differences', 'and one that is freed');

select * from finish();
rollback;
