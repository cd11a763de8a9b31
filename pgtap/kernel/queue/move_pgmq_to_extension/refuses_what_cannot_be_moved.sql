begin;
select plan(1);

select tasker_test.take_turn();
set local client_min_messages = error;
select case
    when tasker.pgmq_kind() <> 'own'
      then throws_ok($$ select tasker.move_pgmq_to_extension() $$, 'TK409', 'schema "pgmq" was not installed by pgtasker', 'a pgmq that pgtasker has not installed is not moved')
    when not exists (select from pg_available_extensions as x where x.name = 'pgmq')
      then throws_ok($$ select tasker.move_pgmq_to_extension() $$, 'TK409', 'extension "pgmq" 1.11 or newer is not available on this server', 'pgmq is not moved to an extension that the server does not have')
    else skip('the extension is available and pgtasker installed the schema, so it can be moved', 1)
  end;

select * from finish();
rollback;
