begin;
select plan(4);

select tasker_test.freeze();
create role tap_team in role tasker_reader;
select tasker.register_namespace('shop');
select tasker.create_token('a-team', sha256('a'), 'tap_team', '{shop}');
select tasker.create_token('b-short', sha256('b'), 'tasker_reader', '{*}', tasker.clock() + interval '1 hour');
select tasker.create_token('c-long', sha256('c'), 'tasker_reader', '{}');
select results_eq(
  $$ select t.name, t.status from tasker.list_tokens() as t $$,
  $$ values ('a-team', 'valid'), ('b-short', 'valid'), ('c-long', 'valid') $$,
  'tokens are listed by name'
);
select hasnt_column('tasker', 'token_details', 'token_hash', 'the rows have no column for the hash');
alter role tap_team createrole;
select tasker_test.freeze(tasker.clock() + interval '1 hour');
select results_eq(
  $$ select t.name, t.status from tasker.list_tokens() as t $$,
  $$ values ('a-team', 'unusable'), ('b-short', 'expired'), ('c-long', 'valid') $$,
  'a token of a role with too many rights is unusable, and an old one is expired'
);
alter role tap_team nocreaterole;
select tasker.bind_role('tasker_operator', '{shop}');
create role tap_bound in role tasker_operator;
set local role tap_bound;
select throws_ok($$ select tasker.list_tokens() $$, 'TK403', 'role "tap_bound" may not make calls that concern all namespaces', 'an operator that is bound to namespaces is refused');

select * from finish();
rollback;
