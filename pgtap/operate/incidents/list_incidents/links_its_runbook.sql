begin;
select plan(6);

select tasker_test.freeze();
select tasker.register_namespace('test');
select tasker.pause_namespace('test', 'ann');
select tasker_test.judge();
select results_eq(
  $$ select i.runbook from tasker.list_incidents() as i where i.kind = 'paused' $$,
  $$ values ('https://github.com/pgtasker/pgtasker/blob/main/docs/howto/incidents.md#paused') $$, 'an incident links the section of its kind'
);
select is(tasker.set_setting('runbook', 'https://wiki.example/on-call/{kind}?from=pgtasker'), 'https://github.com/pgtasker/pgtasker/blob/main/docs/howto/incidents.md#{kind}', 'a setting has the address');
select results_eq($$ select i.runbook from tasker.list_incidents() as i $$, $$ values ('https://wiki.example/on-call/paused?from=pgtasker') $$, 'all incidents have the new one');
select throws_ok($$ select tasker.set_setting('runbook', 'javascript:alert(1)') $$, 'TK422', 'setting "runbook" cannot be "javascript:alert(1)"', 'only an address of the web is taken');
select throws_ok($$ select tasker.set_setting('runbook', 'https://a b') $$, 'TK422', 'setting "runbook" cannot be "https://a b"', 'without spaces');
select is(tasker.set_setting('runbook', null), 'https://wiki.example/on-call/{kind}?from=pgtasker', 'null restores the default');

select * from finish();
rollback;
