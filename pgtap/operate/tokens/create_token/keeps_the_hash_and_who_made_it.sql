begin;
select plan(6);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
set local role tasker_operator;
select results_eq(
  $$ select t.name, t.role_name, t.namespaces, t.status, t.created_by, t.expires_at
       from tasker.create_token('deploy-bot', sha256('a'), 'tasker_submitter', '{shop,bank,shop}', tasker.clock() + interval '1 day') as t $$,
  $$ values ('deploy-bot', 'tasker_submitter', '{bank,shop}'::text[], 'valid', 'tasker_operator', tasker.clock() + interval '1 day') $$,
  'it returns the token'
);
select results_eq(
  $$ select t.namespaces, t.expires_at from tasker.create_token('all', sha256('b'), 'tasker_reader', '{*}') as t $$,
  $$ values ('{*}'::text[], null::timestamptz) $$,
  'a token may be for all namespaces and never expire'
);
select results_eq(
  $$ select t.namespaces, t.expires_at from tasker.create_token('none', sha256('c'), 'tasker_reader', '{}', 'infinity') as t $$,
  $$ values ('{}'::text[], null::timestamptz) $$,
  'a token may have no namespaces'
);
reset role;
create role tap_team nologin in role tasker_reader, tasker_submitter;
select results_eq(
  $$ select t.role_name, t.status from tasker.create_token('team', sha256('d'), 'tap_team', '{shop}') as t $$,
  $$ values ('tap_team', 'valid') $$,
  'a token may have a role that is a member of a pgtasker role'
);
select results_eq(
  $$ select t.token_hash from tasker.access_tokens as t where t.name = 'deploy-bot' $$,
  $$ values (sha256('a')) $$,
  'the table stores the hash'
);
select is(
  (select t.status from tasker.list_tokens() as t where t.name = 'team'), 'valid', 'list_tokens lists the token'
);

select * from finish();
rollback;
