begin;
select plan(7);

select is(pgmq.format_table_name('Tap-Q', 'q'), 'q_tap-q', 'of the queue');
select is(pgmq.format_table_name('Tap-Q', 'a'), 'a_tap-q', 'of the archive');
select is(pgmq.format_table_name(null, 'q'), null, 'null of null');
select throws_ok($$ select pgmq.format_table_name('a;b', 'q') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a semicolon is refused');
select throws_ok($$ select pgmq.format_table_name('a$b', 'q') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a dollar');
select throws_ok($$ select pgmq.format_table_name('a--b', 'q') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a comment');
select throws_ok($$ select pgmq.format_table_name('a''b', 'q') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a quote');

select * from finish();
rollback;
