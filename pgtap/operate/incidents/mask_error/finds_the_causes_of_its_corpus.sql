begin;
select plan(5);

create temporary table corpus (wanted text not null, handler text not null, error text not null);
\copy corpus from 'pgtap/operate/incidents/mask_error/corpus.tsv'
create temporary table masked as select c.wanted, c.handler, tasker.mask_error(c.error) as masked from corpus as c;
select is_empty(
  $$ select string_agg(distinct m.wanted, ' + ') from masked as m group by m.handler, m.masked having count(distinct m.wanted) > 1 $$,
  'no two of 66 causes in seven languages are taken for one'
);
select is_empty(
  $$ select m.wanted from masked as m group by m.wanted having count(distinct m.masked) > 3 $$, 'no cause falls apart into many'
);
select cmp_ok((select count(distinct (m.handler, m.masked)) from masked as m), '<=', 68::bigint, '200 texts of 66 causes are at most 68 texts');
select ok((select max(length(m.masked)) <= 300 from masked as m), 'a masked text has at most 300 characters');
create temporary table hostile (error text not null);
insert into hostile
select repeat(p.piece, 3000) from unnest(array['"', '''', '[1', '{', '#, ', '~1', 'https://', 'a.b-', E'\n at ', '(# ', 'status 5']) as p (piece);
create function pg_temp.milliseconds() returns numeric language plpgsql as $$
declare
  v_since timestamptz := clock_timestamp();
begin
  for i in 1 .. 20 loop
    perform count(tasker.mask_error(h.error)) from hostile as h;
  end loop;
  return extract(epoch from clock_timestamp() - v_since) * 1000 / 220;
end;
$$;
-- The first call plans.
select pg_temp.milliseconds() > 0 as planned \gset
select cmp_ok((select min(pg_temp.milliseconds()) from generate_series(1, 3)), '<', 20::numeric, 'a hostile text takes no longer than any other');

select * from finish();
rollback;
