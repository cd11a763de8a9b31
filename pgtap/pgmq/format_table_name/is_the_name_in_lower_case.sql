begin;
select plan(7);

select is(pgmq.format_table_name('Tap-Q', 'q'), 'q_tap-q', 'the prefix q gives the table of a queue');
select is(pgmq.format_table_name('Tap-Q', 'a'), 'a_tap-q', 'the prefix a gives the table of an archive');
select is(pgmq.format_table_name(null, 'q'), null, 'a null name gives null');
select throws_ok($$ select pgmq.format_table_name('a;b', 'q') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a name with a semicolon is refused');
select throws_ok($$ select pgmq.format_table_name('a$b', 'q') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a name with a dollar sign is refused');
select throws_ok($$ select pgmq.format_table_name('a--b', 'q') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a name with a comment sign is refused');
select throws_ok($$ select pgmq.format_table_name('a''b', 'q') $$, 'P0001', 'queue name contains invalid characters: $, ;, --, or \''', 'a name with a quote is refused');

select * from finish();
rollback;
