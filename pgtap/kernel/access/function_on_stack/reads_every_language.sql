begin;
select plan(9);

select is(tasker.function_on_stack(t.stack), t.function, t.language)
  from (values
    ('English', 'reset_task', e'PL/pgSQL function tasker.calling_function() line 7 at GET DIAGNOSTICS\nPL/pgSQL function tasker.administer(text,text) line 3 at RETURN\nSQL statement "SELECT tasker.administer(p_actor)"\nPL/pgSQL function tasker.reset_task(uuid,text,text) line 4 at PERFORM'),
    ('French', 'reset_task', e'fonction PL/pgSQL tasker.calling_function(), ligne 7 à GET DIAGNOSTICS\ninstruction SQL « SELECT tasker.administer(p_actor) »\nfonction PL/pgSQL tasker.reset_task(uuid,text,text), ligne 4 à PERFORM'),
    ('Spanish', 'tasklib.pause_task', e'función PL/pgSQL tasker.calling_function() en la línea 7 en GET DIAGNOSTICS\nfunción PL/pgSQL tasklib.pause_task(text,text,text) en la línea 4 en PERFORM'),
    ('Japanese', 'reset_task', e'PL/pgSQL関数tasker.calling_function()の7行目 - GET DIAGNOSTICS\nPL/pgSQL関数tasker.reset_task(uuid,text,text)の4行目 - PERFORM'),
    ('a function in SQL', 'ensure_partitions', e'PL/pgSQL function tasker.calling_function() line 7 at GET DIAGNOSTICS\nSQL function "ensure_partitions" statement 1'),
    ('a function in SQL, in French', 'ensure_partitions', e'fonction PL/pgSQL tasker.calling_function(), ligne 7 à GET DIAGNOSTICS\nfonction SQL « ensure_partitions », instruction 1'),
    ('a function in SQL, in German', 'ensure_partitions', e'PL/pgSQL-Funktion tasker.calling_function() Zeile 7 bei GET DIAGNOSTICS\nSQL-Funktion »ensure_partitions« Anweisung 1'),
    ('the text of a statement', null, e'PL/pgSQL function tasker.calling_function() line 7 at GET DIAGNOSTICS\nSQL statement "update t\n tasker.reset_task(uuid)\nset a = tasker.reset_task(b)"\nPL/pgSQL function inline_code_block line 1 at SQL statement'),
    ('the text of a statement, in French', null, e'fonction PL/pgSQL tasker.calling_function(), ligne 7 à GET DIAGNOSTICS\ninstruction SQL « update t\n tasker.reset_task(uuid) »\nfonction PL/pgSQL inline_code_block, ligne 1 à instruction SQL')
  ) as t (language, function, stack);

select * from finish();
rollback;
