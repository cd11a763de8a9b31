begin;
select plan(2);

select tasker_test.take_turn();
set local client_min_messages = error;
select case when tasker.pgmq_kind() = 'own' and not exists (select from pg_available_extensions as x where x.name = 'pgmq')
  then throws_ok($$ select tasker.move_pgmq_to_extension() $$, 'TK409', 'extension "pgmq" 1.11 or newer is not available on this server', 'where there is no extension')
  else pass('there is one')
end;
select case when tasker.pgmq_kind() = 'own'
  then pass('it is ours')
  else throws_ok($$ select tasker.move_pgmq_to_extension() $$, 'TK409', 'schema "pgmq" was not installed by pgtasker', 'a pgmq that is not ours')
end;

select * from finish();
rollback;
