begin;
select plan(3);

create temporary table files as
  select b.version, split_part(f.line, ' ', 1) as name, split_part(f.line, ' ', 2) as digest
    from tasker.list_schema_builds() as b
   cross join lateral string_to_table(rtrim(b.files, chr(10)), chr(10)) as f (line);
select set_has(
  $$ select f.version, f.name from files as f $$,
  $$ values ('20261121000100', 'roles'), ('20261121000200', 'tables/kernel/setting/settings') $$,
  'each migration has its files, those before the table too'
);
select is_empty($$ select f.* from files as f where (f.digest ~ '^[0-9a-f]{16}$') is not true $$, 'each file has a digest');
select is_empty(
  $$
  select p.proname
    from pg_proc as p
   where p.pronamespace = 'tasker'::regnamespace
     and not exists (select from files as f where f.name ~ ('^functions/.*/' || p.proname || '$'))
  $$,
  'each function has a file'
);

select * from finish();
rollback;
