create or replace view tasklib.name_quotas as
select
  ''::text as name,
  0::integer as quota,
  false::boolean as keyed,
  false::boolean as rated
where false;

comment on view tasklib.name_quotas is
  'Row type: how many tasks of a name may be claimed now, whether the name''s limit keys take turns, and whether its limit keys have a rate.';
