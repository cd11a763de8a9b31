begin;
select plan(1);

select results_eq(
  $$ select tasker.span_text(u.seconds) from unnest('{1209600,5400,2.500,0,86399,60,0.001}'::numeric[]) with ordinality as u (seconds, no) order by u.no $$,
  $$ values ('14d'), ('1h 30m'), ('2.5s'), ('0s'), ('23h 59m 59s'), ('1m'), ('0.001s') $$, 'a length of time has the units of templates'
);

select * from finish();
rollback;
