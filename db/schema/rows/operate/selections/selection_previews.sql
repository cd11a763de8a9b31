create or replace view tasker.selection_previews as
select
  ''::text as words,
  0::integer as entries,
  false::boolean as more,
  ''::text as digest
where false;

comment on view tasker.selection_previews is
  'Row type: the entries that a selection would have now. The digest identifies exactly these entries.';
