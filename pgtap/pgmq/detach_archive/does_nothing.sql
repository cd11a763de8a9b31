begin;
select plan(2);

set local client_min_messages = error;
select pgmq.create('tap_detach');
select lives_ok($$ select pgmq.detach_archive('tap_detach') $$, 'but warn');
select has_table('pgmq'::name, 'a_tap_detach'::name, 'the archive stays');

select * from finish();
rollback;
