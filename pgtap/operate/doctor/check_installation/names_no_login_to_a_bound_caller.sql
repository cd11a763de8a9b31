begin;
select plan(9);

create role tap_other login;
grant tasker_worker to tap_other;
select matches(
  (select d.message from tasker.check_installation() as d where d.name = 'timeouts'), 'open without end: .*tap_other', 'an operator learns which logins have no time-out'
);
select matches(tasker.describe_lock_holder(pg_current_xact_id()::xid, 'tasker.tasks'::regclass), format('^Process \d+ of role "%s" has it locked', session_user), 'and whose transaction holds a row');
select matches(
  (select d.message from tasker.check_installation() as d where d.name = 'snapshots'), '.', 'and of the oldest snapshot'
);

set local tasker.namespaces = 'shop';
select is(
  (select d.message from tasker.check_installation() as d where d.name = 'timeouts'), 'transactions of login roles may stay open without end',
  'a bound caller learns that there are some'
);
select matches(tasker.describe_lock_holder(pg_current_xact_id()::xid, 'tasker.tasks'::regclass), '^Process \d+ has it locked, in a transaction since', 'and which process holds a row');
select is_empty(
  format($$ select d.message from tasker.check_installation() as d where concat_ws(' ', d.message, d.hint) ~ '\m(tap_other|%s)\M' $$, session_user),
  'no finding names a login'
);
reset tasker.namespaces;

create role tap_bound;
grant tasker_reader to tap_bound;
select from tasker.register_namespace('shop');
select tasker.bind_role('tap_bound', '{shop}');
set local role tap_bound;
select is_empty($$ select d.message from tasker.check_installation() as d where concat_ws(' ', d.message, d.hint) ~ '\mtap_other\M' $$, 'nor to a bound role');
reset role;
select is(
  array(select p.proname::text from pg_proc as p where p.pronamespace = 'tasker'::regnamespace and p.prosrc ~ '\musename\M' order by 1),
  '{describe_lock_holder,doctor_snapshots}', 'two functions read the logins of other sessions'
);
select is_empty(
  $$ select p.proname from pg_proc as p where p.pronamespace = 'tasker'::regnamespace and p.prosrc ~ '\musename\M' and (p.prosrc ~ 'bound_namespaces') is not true $$,
  'and both ask whether the caller is bound'
);

select * from finish();
rollback;
